import * as z from 'zod';
import { failingDay, healthFields } from '#shared/code/integrations/integration.ts';
import { readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { epochSeconds } from '#shared/platform/runtime/clock.ts';
import { withoutTrailing } from '#shared/platform/runtime/texts.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

/** Jira Cloud, and Jira Data Center in an organization's own network. */
const EDITIONS = ['cloud', 'data_center'] as const;

/** Data Center may be below a path of its host. */
const BaseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://example.atlassian.net' })
  .max(300)
  .overwrite((url) => {
    const parsed = URL.parse(url);
    return parsed ? withoutTrailing('/', `${parsed.origin}${parsed.pathname}`) : url;
  });

/** A Jira in which tickets are opened. */
export const TicketingConnection = z.object({
  ...recordFields,
  name: z.string().trim().min(1).max(120).meta({ example: 'Jira of the shop' }),
  edition: z.enum(EDITIONS).meta({ description: '`cloud` is Jira Cloud, `data_center` Jira Data Center' }),
  baseUrl: BaseUrl.meta({ example: 'https://example.atlassian.net' }),
  account: z.string().trim().min(3).max(255).nullable().default(null).meta({
    description: 'the mail address of the owner of the API token, for `cloud`',
    example: 'tickets@example.com',
  }),
  enabled: z
    .boolean()
    .default(true)
    .meta({ description: 'false: the service neither calls Jira nor accepts its events' }),
  access: readOnly(
    z
      .enum(['none', 'token'])
      .default('none')
      .meta({ description: '`none`: no tickets are opened until the connection has a `token`' }),
  ),
  ...healthFields,
  lastSyncAt: readOnly(
    Timestamp.nullable().meta({
      description: 'when a ticket was last synchronized; updated at most once a minute',
    }),
  ),
  /** The moment of the last poll: issues that changed since are asked for by the next. */
  polledAt: Timestamp.nullable(),
  /** The timer of the next poll. */
  pollAt: Timestamp.nullable(),
});
export type TicketingConnection = z.infer<typeof TicketingConnection>;

export const ticketingConnections = defineEntity(TicketingConnection, {
  name: 'ticketing-connection',
  together: true,
  feedFields: ['name', 'edition', 'baseUrl', 'account', 'enabled', 'access', 'status', 'error', 'secretUpdatedAt'],
  facets: ({ status }) => ({ [`status:${status}`]: 1 }),
  ranks: ({ lastSyncAt }) => ({ synced: lastSyncAt === null ? undefined : epochSeconds(lastSyncAt) }),
  ordered: (connection) => ({ failing: failingDay(connection) }),
});
