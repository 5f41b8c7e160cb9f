import * as z from 'zod';
import { Id, objectNamed, Timestamp } from '../http/records.ts';
import { now, secondsAfter } from '../runtime/clock.ts';
import { defineRow } from '../table/io/row.ts';

export const CHANNELS = ['webhook', 'email', 'inbox', 'slack', 'teams', 'jira', 'code_host'] as const;

export const STATES = ['pending', 'sent', 'failed', 'dead', 'skipped', 'simulated'] as const;

/** A call of a target, and what came of it. */
export const Attempt = objectNamed('DeliveryAttempt', {
  at: Timestamp,
  status: z.int().nullable().meta({ description: 'of the answer; null: there was none, or its error alone is known' }),
  error: z.string().nullable().meta({ description: 'null: the target took it' }),
  milliseconds: z.int(),
});
export type Attempt = z.infer<typeof Attempt>;

/** A call with what the target asks for next. */
export type Called = Attempt & {
  /** The target wants nothing more: it answered 410. */
  isGone: boolean;
  /** The target's own wish. */
  retryAt?: string | undefined;
};

export const SentDelivery = objectNamed('SentDelivery', {
  id: z.string().meta({
    description:
      'unique for the target; a repetition has the same. With webhooks it is `webhook-id`, the `id` of the event',
    example: '000000004711-finding.created',
  }),
  targetId: Id.meta({
    description: 'the webhook endpoint, the subscription, the connection to Jira or the integration with a code host',
  }),
  channel: z.enum(CHANNELS),
  type: z.string().meta({ description: 'of the event, of the message or of the call', example: 'finding.created' }),
  subject: z.string().meta({
    description: 'the record; of a message to a person, the person',
    example: 'finding/01960000-0000-7000-8000-000000000001',
  }),
  status: z.enum(STATES).meta({
    description:
      '`pending`: is being called; `failed`: is called again; `dead`: is called no more unless somebody sends it again; `skipped`: is not sent, for `reason`; ' +
      '`simulated`: somebody asked what would be sent',
  }),
  reason: z.string().nullable().meta({ description: 'why it was skipped' }),
  attempts: z.array(Attempt).meta({ description: 'the last ten' }),
  createdAt: Timestamp,
  sentAt: Timestamp.nullable(),
});
export type SentDelivery = z.infer<typeof SentDelivery>;

/** The same with what was sent. */
export const DeliveryWithPayload = SentDelivery.extend({
  payload: z.unknown().meta({
    description:
      'the body of the call as the target gets it, without secrets; null: it was skipped, or is too long to be kept',
  }),
}).meta({ id: 'SentDeliveryWithPayload' });

export type DeliveryRow = SentDelivery & {
  payload: string | null;
  /** The task that made the call, with the group of its messages. */
  work?: { taskId: string; group: string } | undefined;
};
export type DeliveryKey = Pick<DeliveryRow, 'targetId' | 'id'>;

const KEPT_SECONDS = 30 * 86_400;

/** The days of which deliveries are kept, and the current one. */
export const KEPT_DAYS = KEPT_SECONDS / 86_400 + 1;

const expiresAt = ({ createdAt }: Pick<DeliveryRow, 'createdAt'>): string => secondsAfter(createdAt, KEPT_SECONDS);

export const sentDeliveries = defineRow<DeliveryRow, DeliveryKey>({
  name: 'sent-delivery',
  about: 'what is sent to a target: the payload, with the attempts',
  key: ({ targetId, id }) => [targetId, id],
  expiresAt,
});

/** The list of the deliveries that failed or are dead: of all, or of one target. */
export const failedList = (targetId?: string): string => (targetId === undefined ? 'failed' : `failed-${targetId}`);

export type DeliveryPlace = DeliveryKey & Pick<DeliveryRow, 'createdAt'> & { list: string };

export const placeOf = ({ createdAt, targetId, id }: Omit<DeliveryPlace, 'list'>): string =>
  `${createdAt}_${targetId}_${id}`;

export const deliveryPlaces = defineRow<DeliveryPlace>({
  name: 'sent-delivery-place',
  about:
    'a delivery in the list of its day, in the lists of those that failed, and in those of alerts that it names, by time',
  key: ({ list, createdAt, targetId, id }) => [list, placeOf({ createdAt, targetId, id })],
  expiresAt,
});

type Draft = Omit<DeliveryRow, 'status' | 'reason' | 'attempts' | 'createdAt' | 'sentAt'>;

const MAX_PAYLOAD = 100_000;

/** A delivery that nobody has called with. */
export const newDelivery = ({ payload, ...draft }: Draft): DeliveryRow => ({
  ...draft,
  payload: payload !== null && payload.length <= MAX_PAYLOAD ? payload : null,
  status: 'pending',
  reason: null,
  attempts: [],
  createdAt: now(),
  sentAt: null,
});

/** Attempts that a delivery shows. */
const SHOWN = 10;

/** A delivery with what came of a call. @param isOver whether it is called no more */
export function afterCall(row: DeliveryRow, { at, status, error, milliseconds }: Attempt, isOver = false): DeliveryRow {
  const attempts = [...row.attempts, { at, status, error, milliseconds }].slice(-SHOWN);
  if (error === null) return { ...row, status: 'sent', attempts, sentAt: at };
  return { ...row, status: isOver ? 'dead' : 'failed', attempts };
}
