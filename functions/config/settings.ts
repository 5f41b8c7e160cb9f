import { KEPT_SECONDS } from '#shared/agents/retention.ts';
import { COMPLETION_SECONDS } from '#shared/apex/completion.ts';
import { TOKEN_SECONDS } from '#shared/auth/access-token.ts';
import { OVERLAP_SECONDS } from '#shared/auth/credential.ts';
import { SLA_DAYS } from '#shared/findings/priority.ts';
import { MAX_BODY_BYTES } from '#shared/http/body.ts';
import { IDEMPOTENCY_SECONDS } from '#shared/http/idempotency.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '#shared/http/pagination.ts';
import { TASK_KEPT_SECONDS } from '#shared/jobs/task.ts';
import { MAX_WAIT_SECONDS } from '#shared/jobs/wait.ts';
import { LEASE_SECONDS, MAX_TASK_SECONDS } from '#shared/leases/lease.ts';
import { HEARTBEAT_SECONDS } from '#shared/machines/presence.ts';
import { MAX_INLINE_BYTES, MAX_UPLOAD_BYTES } from '#shared/reports/decode.ts';
import type { Settings } from '#shared/runtime/env.ts';
import { VERSION } from '#shared/runtime/version.ts';
import { knownVersions } from '#shared/scanners/versions.ts';
import { PART_BYTES } from '#shared/uploads/parts.ts';
import type { ConfigItem } from './routes.ts';

const DAY_SECONDS = 86_400;

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

/** What the deployment declares, where it does. */
const declared = (key: string, value: string | undefined, description: string): ConfigItem[] =>
  value === undefined ? [] : [text(key, value, 'deployment', description)];

function scannerVersions(settings: Settings): ConfigItem[] {
  const { recommended, minimum } = knownVersions(settings);
  return [
    ...declared('scanners.recommendedVersion', recommended, 'scanners of older versions are told to upgrade'),
    ...declared('scanners.minimumVersion', minimum, 'scanners of older versions get no new tasks'),
  ];
}

/** Everything that a caller can run into, read from the constants that the service itself uses. */
export const configItems = (settings: Settings): ConfigItem[] => [
  text('service.version', VERSION, 'default', 'version of the interface'),
  text('service.baseUrl', settings.BASE_URL, 'deployment', 'where clients reach the service'),
  text('tokens.issuer', settings.TOKEN_ISSUER, 'deployment', 'issuer and audience of access tokens'),
  integer('pagination.defaultSize', DEFAULT_PAGE_SIZE, 'items of a page when paginateSize is not given'),
  integer('pagination.maximumSize', MAX_PAGE_SIZE, 'largest paginateSize'),
  integer('requests.maximumBodyBytes', MAX_BODY_BYTES, 'largest request body; more goes through an upload'),
  duration('requests.idempotencyKept', IDEMPOTENCY_SECONDS, 'how long an Idempotency-Key repeats its answer'),
  duration('tokens.valid', TOKEN_SECONDS, 'how long an access token works'),
  duration('secrets.overlap', OVERLAP_SECONDS, 'how long a replaced secret keeps working unless told otherwise'),
  duration('tasks.kept', TASK_KEPT_SECONDS, 'how long a task can be read after its last change'),
  duration('tasks.maximumWait', MAX_WAIT_SECONDS, 'largest waitSeconds'),
  integer('reports.maximumInlineBytes', MAX_INLINE_BYTES, 'largest decoded report inside a request'),
  integer('reports.maximumUploadBytes', MAX_UPLOAD_BYTES, 'largest report that is uploaded'),
  integer('uploads.partBytes', PART_BYTES, 'larger files are uploaded in parts of this size'),
  duration('completions.kept', COMPLETION_SECONDS, 'how long the answer of a model can be read'),
  duration('scanners.lease', LEASE_SECONDS, 'a task whose scanner is silent for this long is handed out again'),
  duration('scanners.maximumTask', MAX_TASK_SECONDS, 'how long a scanner may work on one task'),
  duration('scanners.heartbeat', HEARTBEAT_SECONDS, 'how exactly the time of the last contact is kept'),
  ...scannerVersions(settings),
  duration('agents.resources.minutesKept', KEPT_SECONDS.minute, 'how long samples can be read by the minute'),
  duration('agents.resources.hoursKept', KEPT_SECONDS.hour, 'how long samples can be read by the hour'),
  duration('agents.resources.daysKept', KEPT_SECONDS.day, 'how long samples can be read by the day'),
  ...timesToFix(),
];

const timesToFix = (): ConfigItem[] =>
  Object.entries(SLA_DAYS).flatMap(([severity, days]) =>
    days === null
      ? []
      : [duration(`findings.due.${severity}`, days * DAY_SECONDS, `time to fix a ${severity} finding`)],
  );
