import * as z from 'zod';
import { admin } from '#shared/platform/auth/access.ts';
import { backwardPageOf } from '#shared/platform/http/backward.ts';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, get, post } from '#shared/platform/http/route.ts';
import { DeliveryWithPayload, SentDelivery } from '#shared/platform/outgoing/delivery.ts';
import { SentDeliveriesQuery } from '#shared/platform/outgoing/delivery-list.ts';

const path = '/api/v1/deliveries';
const one = `${path}/{targetId}/{deliveryId}`;

const Queued = objectNamed('QueuedDeliveries', {
  queued: z.int().nonnegative().meta({ description: 'deliveries that are sent again now' }),
});

const Recovered = objectNamed('RecoveredDeliveries', {
  ...Queued.shape,
  skipped: z.int().nonnegative().meta({
    description:
      'deliveries that cannot be sent again: their payload was too long to be kept, or their task is still at it',
  }),
  next: z
    .string()
    .nullable()
    .meta({ description: '`since` of the request for the following ones; null: there are no more' }),
});

/** A delivery from which to go on: many are made in one millisecond, so its time alone leads no further. */
const NEXT = /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z_[\w.:-]{1,250}$/;

export const deliveryRoutes = defineRoutes({
  listSentDeliveries: get(path, {
    summary: 'List what was sent to other systems and people, newest first',
    description:
      'One ledger for webhook endpoints, Slack, Teams, letters and inboxes of subscriptions, tickets in Jira, and checks and comments at code hosts: each has ' +
      'its row before the call, with the attempts and what came of them, for 30 days. A page may have fewer entries than `limit`, also none, before the last page, ' +
      'where `next` is null. `status=failed,dead` reads only those, and `targetId` those of a target, however many others there are; a `filter` is tried on each.',
    access: admin,
    query: SentDeliveriesQuery,
    response: backwardPageOf(SentDelivery).meta({ id: 'SentDeliveriesAnswer' }),
  }),
  getSentDelivery: get(one, {
    summary: 'Read what was sent, to whom, and what came of it',
    description:
      'The `payload` is the body of the call. Secrets are not in it: they are in the address or in a header.',
    access: admin,
    response: DeliveryWithPayload,
  }),
  resendDelivery: post(`${one}/resend`, {
    summary: 'Send a delivery again',
    description:
      'With the same id and payload, whether or not it arrived. A letter and a notification go out with whatever else waits for the person then. Of Jira and code ' +
      'hosts the task is worked again: it first looks what is there already.',
    access: admin,
    response: Queued,
  }),
  recoverDeliveries: post(`${path}/recover`, {
    summary: 'Send all deliveries to a target again that failed since a time',
    description:
      'Those that are `failed` or `dead`, oldest first, at most 100 in one request: ask for the others with `next` as `since`. What arrived is not sent again. ' +
      'Those that cannot be sent again are counted in `skipped`.',
    access: admin,
    body: z
      .strictObject({
        targetId: Id,
        since: z.union([Timestamp, z.string().regex(NEXT, 'must be `next` of the previous answer')]).meta({
          description: 'deliveries that were made at this time or later; or `next` of the previous answer',
          example: '2026-01-15T08:00:00.000Z',
        }),
      })
      .meta({ id: 'RecoverDeliveries' }),
    response: Recovered,
  }),
  simulateDeliveries: post(`${path}/simulate`, {
    summary: 'See what a webhook endpoint or a subscription would get of the last seven days, and how',
    description:
      'Works the newest events as the sender does, without the call. What has no delivery yet is `simulated` or `skipped` in the ledger then; others are ' +
      'answered as they are. Of a subscription to people or a chat, the newest events are one message for each person, or for the chat. ' +
      '`POST /api/v1/notifications/subscriptions/{id}/test` sends a sample.',
    access: admin,
    body: z
      .strictObject({
        targetId: Id,
        limit: z.int().min(1).max(50).default(10).meta({ description: 'maximum number of events' }),
      })
      .meta({ id: 'SimulateDeliveries' }),
    response: objectNamed('SimulatedDeliveries', { data: z.array(DeliveryWithPayload) }),
  }),
});
