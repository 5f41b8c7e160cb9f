import * as z from 'zod';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { inSeconds, secondsAfter } from '#shared/platform/runtime/clock.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { moveTimer } from '#shared/platform/timers/timers.ts';
import { Event } from './event.ts';

/** A call of an endpoint, and what came of it. */
export const Attempt = objectNamed('DeliveryAttempt', {
  at: Timestamp,
  status: z.int().nullable().meta({ description: 'of the answer; null: there was none' }),
  error: z.string().nullable().meta({ description: 'null: the endpoint took the event' }),
  milliseconds: z.int(),
});
export type Attempt = z.infer<typeof Attempt>;

const about = {
  endpointId: Id,
  eventId: z.string().meta({
    description: '`webhook-id` of the request and `id` of the event',
    example: '000000004711-finding.created',
  }),
  type: z.string().meta({ example: 'finding.created' }),
  subject: z.string().meta({ description: 'the record', example: 'finding/01960000-0000-7000-8000-000000000001' }),
  status: z.enum(['pending', 'sent', 'failed', 'skipped']).meta({
    description:
      '`pending`: is being called; `failed`: is called again; `skipped`: the record did not meet the filter of the endpoint',
  }),
  attempts: z.array(Attempt).meta({ description: 'the last ten' }),
  createdAt: Timestamp,
  sentAt: Timestamp.nullable(),
};

export const WebhookDelivery = objectNamed('WebhookDelivery', about);
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

/** The same with what was sent. */
export const DeliveryWithPayload = WebhookDelivery.extend({
  payload: Event.nullable().meta({ description: 'the body of the request; null: the event was skipped' }),
}).meta({ id: 'WebhookDeliveryWithPayload' });

export type DeliveryRow = WebhookDelivery & { payload: string | null };

const DELIVERIES_KEPT_SECONDS = 30 * 86_400;

export const webhookDeliveries = defineRow<DeliveryRow, Pick<DeliveryRow, 'endpointId' | 'eventId'>>({
  name: 'webhook-delivery',
  about: 'an event for an endpoint: what is sent, with the attempts',
  key: ({ endpointId, eventId }) => [endpointId, eventId],
  expiresAt: ({ createdAt }) => secondsAfter(createdAt, DELIVERIES_KEPT_SECONDS),
});

/** How far the events of an endpoint are sent. */
export type Position = {
  endpointId: string;
  /** The number of the last change whose events are all sent or skipped. */
  seen: number;
  /** Calls of the next event that failed in a row, and when the first of them did. */
  failures: number;
  failingSince?: string | undefined;
  /** When the next call is due. */
  retryAt?: string | undefined;
  /** Events that were sent before this time are sent again: somebody asked for it. */
  againFrom?: string | undefined;
};

export const positions = defineRow<Position, Pick<Position, 'endpointId'>>({
  name: 'webhook-position',
  about: 'the number of the last change whose events an endpoint has, and when its next call is due',
  key: ({ endpointId }) => [endpointId],
});

/** The writes that change a position with the timer of the next call; another worker may have moved the position meanwhile. */
export function positionWrites(table: Table, position: Position, changes: Partial<Position>): Write[] {
  const row = { ...position, ...changes };
  const expect = { seen: position.seen };
  const write = putWrite(table.tenant, positions, { row, expect, fail: () => new Overtaken() });
  return [write, ...retryTimerWrites(table, position, row.retryAt)];
}

/** The writes that end a position with its timer. */
export const positionRemoval = (table: Table, position: Position): Write[] => [
  { remove: rowKey(table.tenant, positions, position) },
  ...retryTimerWrites(table, position, undefined),
];

function retryTimerWrites({ organizationId }: Table, { endpointId, retryAt }: Position, next: string | undefined) {
  const [was, is] = [retryAt, next].map((time) => (time === undefined ? undefined : Date.parse(time)));
  return moveTimer({ kind: 'webhook', organizationId, id: endpointId }, was, is);
}

/** Seconds until the next call after so many failures in a row: from seconds to a day. */
const WAITS_SECONDS = [5, 60, 300, 900, 3600, 7200, 14_400, 28_800, 57_600, 86_400];

/** An endpoint that fails for so long is turned off. */
export const GIVE_UP_SECONDS = 5 * 86_400;

/**
 * @param random from 0 to 1: moves the time by up to a fifth, so that endpoints of one receiver do not come back at once
 * @param askedAt the endpoint's own wish (`Retry-After`)
 */
export function retryTime(failures: number, random: number, askedAt: string | undefined): string {
  const wait = WAITS_SECONDS[Math.min(failures, WAITS_SECONDS.length) - 1] ?? 0;
  const at = inSeconds(Math.round(wait * (1 + random / 5)));
  return askedAt !== undefined && askedAt > at ? askedAt : at;
}
