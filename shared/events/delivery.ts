import * as z from 'zod';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { secondsAfter } from '#shared/platform/runtime/clock.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
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
