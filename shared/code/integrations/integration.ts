import * as z from 'zod';
import { Id, readOnly, recordFields, Timestamp, trimmedText } from '#shared/platform/http/records.ts';
import { latestDayFirst } from '#shared/platform/runtime/clock.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

/** `codehost_a` is GitHub, `codehost_b` is GitLab. */
export const CODE_HOSTS = ['codehost_a', 'codehost_b'] as const;
export type CodeHost = (typeof CODE_HOSTS)[number];

export const INTEGRATION_STATUSES = ['connected', 'degraded', 'failed', 'disabled'] as const;

/** The address of the public service of each host. */
const PUBLIC_HOSTS: Record<CodeHost, string> = {
  codehost_a: 'https://github.com',
  codehost_b: 'https://gitlab.com',
};

export const HttpsUrl = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://git.example.com' })
  .max(300)
  .overwrite((url) => URL.parse(url)?.origin ?? url);

/** The address of the host of an account. */
export const addressOf = ({ kind, baseUrl }: { kind: CodeHost; baseUrl: string | null }): string =>
  baseUrl ?? PUBLIC_HOSTS[kind];

/** Whether a connected host answers, and whether its events can be worked. */
export const healthFields = {
  status: readOnly(
    z.enum(INTEGRATION_STATUSES).meta({
      description:
        '`degraded`: the last delivery could not be processed; `failed`: the host refuses the access or is unreachable',
    }),
  ),
  error: readOnly(
    z.object({ code: z.string(), message: z.string(), at: Timestamp }).nullable().meta({ description: 'the last one' }),
  ),
  lastDeliveryAt: readOnly(Timestamp.nullable().meta({ description: 'updated at most once a minute' })),
  secretUpdatedAt: readOnly(Timestamp.meta({ description: 'of the webhook secret' })),
};

type Health = { status: (typeof INTEGRATION_STATUSES)[number]; error: { at: string } | null };

/** Puts what fails into the order of the newest problem. */
export const failingDay = ({ status, error }: Health): string | null =>
  error && status !== 'disabled' ? latestDayFirst(error.at) : null;

/** An account of a code host that sends its events here. */
export const Integration = z.object({
  ...recordFields,
  kind: z.enum(CODE_HOSTS).meta({ description: '`codehost_a` is GitHub, `codehost_b` GitLab', example: 'codehost_a' }),
  name: trimmedText(120).meta({ example: 'Shop on GitHub' }),
  account: trimmedText(255)
    .overwrite((path) => path.toLowerCase())
    .meta({ description: 'an organization, a user, or a group with its parents', example: 'octo-shop' }),
  baseUrl: HttpsUrl.nullable()
    .default(null)
    .meta({ description: 'the host of a self-hosted installation; null: the public host' }),
  enabled: z.boolean().default(true).meta({ description: 'false: deliveries are refused' }),
  access: readOnly(
    z
      .enum(['none', 'token', 'app'])
      .default('none')
      .meta({ description: 'how the service accesses the code host; `none`: it only receives events' }),
  ),
  ...healthFields,
  lastSyncAt: readOnly(
    Timestamp.nullable()
      .default(null)
      .meta({ description: 'when its repositories were last read from the code host to the end' }),
  ),
  /** The task that reads its repositories, or did last. */
  syncTaskId: Id.nullable().default(null),
});
export type Integration = z.infer<typeof Integration>;

/** The host of an integration's account. */
export const hostOf = (integration: Pick<Integration, 'kind' | 'baseUrl'>): string =>
  new URL(addressOf(integration)).host;

export const integrations = defineEntity(Integration, {
  name: 'integration',
  together: true,
  feedFields: ['kind', 'name', 'account', 'baseUrl', 'enabled', 'access', 'status', 'error', 'secretUpdatedAt'],
  facets: ({ kind, status }) => ({ [`kind:${kind}`]: 1, [`status:${status}`]: 1 }),
  indexed: ({ kind }) => ({ kind }),
  ordered: (integration) => ({ failing: failingDay(integration) }),
  search: ({ name, account }) => [name, account],
  unique: (integration) => ({ account: `${integration.kind}#${hostOf(integration)}#${integration.account}` }),
});
