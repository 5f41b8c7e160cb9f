import type { Settings } from '#shared/env.ts';
import { MAX_BODY_BYTES } from '#shared/http/body.ts';
import { IDEMPOTENCY_SECONDS } from '#shared/http/idempotency.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '#shared/http/pagination.ts';
import { TASK_KEPT_SECONDS } from '#shared/jobs/task.ts';
import { MAX_WAIT_SECONDS } from '#shared/jobs/wait.ts';
import { VERSION } from '#shared/version.ts';
import type { ConfigItem } from './routes.ts';

const integer = (key: string, value: number, description: string): ConfigItem => ({
  key,
  value,
  type: 'integer',
  source: 'default',
  description,
});

const duration = (key: string, seconds: number, description: string): ConfigItem => ({
  ...integer(key, seconds, description),
  type: 'duration',
});

const text = (key: string, value: string, source: ConfigItem['source'], description: string): ConfigItem => ({
  key,
  value,
  type: 'string',
  source,
  description,
});

/** Everything that a caller can run into, read from the constants that the service itself uses. */
export const configItems = ({ BASE_URL, TOKEN_ISSUER }: Settings): ConfigItem[] => [
  text('service.version', VERSION, 'default', 'version of the interface'),
  text('service.baseUrl', BASE_URL, 'deployment', 'where clients reach the service'),
  text('tokens.issuer', TOKEN_ISSUER, 'deployment', 'issuer and audience of access tokens'),
  integer('pagination.defaultSize', DEFAULT_PAGE_SIZE, 'items of a page when paginateSize is not given'),
  integer('pagination.maximumSize', MAX_PAGE_SIZE, 'largest paginateSize'),
  integer('requests.maximumBodyBytes', MAX_BODY_BYTES, 'largest request body; more goes through an upload'),
  duration('requests.idempotencyKept', IDEMPOTENCY_SECONDS, 'how long an Idempotency-Key repeats its answer'),
  duration('tasks.kept', TASK_KEPT_SECONDS, 'how long a task can be read after its last change'),
  duration('tasks.maximumWait', MAX_WAIT_SECONDS, 'largest waitSeconds'),
];
