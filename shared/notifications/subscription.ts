import * as z from 'zod';
import { WantedType } from '#shared/events/catalogue.ts';
import { healthFields } from '#shared/events/health.ts';
import { EventFilter } from '#shared/events/webhook-endpoint.ts';
import { TimeZone } from '#shared/people/user.ts';
import { markedFilter } from '#shared/platform/filter/rule-filter.ts';
import { Id, objectNamed, readOnly, recordFields, trimmedText } from '#shared/platform/http/records.ts';
import { SEVERITIES } from '#shared/platform/runtime/severities.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { QuietHours, Timing } from './timing.ts';

/** The ways to people. The others are channels of the organization. */
const PERSONAL = ['email', 'inbox'] as const;
/** Posts messages to an address that is a secret. */
export const POSTED = ['slack', 'teams'] as const;
const CHANNELS = [...PERSONAL, ...POSTED, 'webhook'] as const;

const RECEIVERS = [
  ...(['me', 'person', 'team', 'asset_owner', 'assignee', 'administrators', 'mentioned', 'followers'] as const),
] as const;

const Receiver = objectNamed('NotificationReceiver', {
  kind: z.enum(RECEIVERS).meta({
    description:
      '`me`: you alone; `asset_owner`: who owns the asset of the record; `assignee`: to whom the record is assigned; a team stands for its members; `mentioned`: whom a comment names; `followers`: who follow the finding. ' +
      'Nobody gets events of records that they may not see, nor events that they caused',
  }),
  id: z.string().min(1).max(120).nullable().default(null).meta({
    description: 'of the user or of the team, with the kinds `person` and `team`',
    example: null,
  }),
});

/** Which events somebody is notified of, how and when. */
export const Subscription = objectNamed('NotificationSubscription', {
  ...recordFields,
  name: trimmedText(120).meta({ example: 'New critical findings' }),
  types: z
    .array(WantedType)
    .min(1)
    .max(50)
    .meta({
      description: 'of events, or all of an entity: `finding.*`. `GET /api/v1/events/types` lists them',
      example: ['finding.created'],
    }),
  matching: EventFilter.nullable()
    .default(null)
    .meta({
      description: 'only events of records that meet a filter. Events of other entities come as `types` says',
      example: { entity: 'finding', filter: 'kev:true' },
    }),
  severityFloor: z.enum(SEVERITIES).nullable().default(null).meta({
    description: 'leaves out events of records of a lower severity; null: none',
    example: 'high',
  }),
  channels: z
    .array(z.enum(CHANNELS))
    .min(1)
    .max(2)
    .meta({
      description:
        '`email` and `inbox`, or one of them, to people; or `slack`, `teams` or `webhook` alone, which only administrators choose',
      example: ['inbox'],
    }),
  to: Receiver.nullable()
    .default(null)
    .meta({
      description: 'who gets `email` and `inbox`; null: the other channels',
      example: { kind: 'administrators' },
    }),
  endpointId: Id.nullable().default(null).meta({
    description: 'the webhook endpoint that gets the events, with the channel `webhook`',
    example: null,
  }),
  timing: Timing.default({ when: 'at_once', at: '08:00', weekday: 'monday' }),
  quietHours: QuietHours.nullable()
    .default(null)
    .meta({
      description: 'messages wait for the end of these hours',
      example: { from: '20:00', to: '07:00' },
    }),
  timeZone: TimeZone.nullable().default(null).meta({
    description: 'of `timing` and `quietHours`; null: that of each person, and UTC for channels',
    example: null,
  }),
  enabled: z
    .boolean()
    .default(true)
    .meta({ description: 'false: what happens meanwhile is sent to nobody, also later' }),
  ownerId: readOnly(Id.nullable()).meta({
    description: 'whose own subscription it is; null: of the organization',
    readOnly: true,
  }),
  addressHost: readOnly(z.string().nullable()).meta({
    description: 'the host of the address to which messages are posted',
    readOnly: true,
  }),
  ...healthFields,
});
export type Subscription = z.infer<typeof Subscription>;

export const ORGANIZATION = 'organization';

export const subscriptions = defineEntity(Subscription, {
  name: 'notification-subscription',
  inPart: 'whole',
  indexed: ({ ownerId, endpointId, matching }) => ({
    owner: ownerId ?? ORGANIZATION,
    endpoint: endpointId,
    ...markedFilter(matching ?? {}),
  }),
  search: ({ name }) => [name],
  feedFields: ['name', 'types', 'matching', 'severityFloor', 'channels', 'to', 'enabled', 'ownerId', 'status', 'error'],
});

/** A change looks at all of them. */
export const MAX_SUBSCRIPTIONS = 500;
export const MAX_OWN = 20;

export const isPersonal = ({ channels }: Pick<Subscription, 'channels'>): boolean =>
  channels.every((channel) => PERSONAL.some((personal) => personal === channel));
