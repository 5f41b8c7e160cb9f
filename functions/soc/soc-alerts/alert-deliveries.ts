import * as z from 'zod';
import { webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { subscriptions } from '#shared/notifications/subscription.ts';
import { users } from '#shared/people/user.ts';
import { objectNamed } from '#shared/platform/http/records.ts';
import { type DeliveryRow, SentDelivery } from '#shared/platform/outgoing/delivery.ts';
import { listOfRecord } from '#shared/platform/outgoing/delivery-list.ts';
import { type Table, withoutPart } from '#shared/platform/table/table.ts';

const { id, targetId, channel, status, reason, createdAt, sentAt } = SentDelivery.shape;

export const AlertDelivery = objectNamed('AlertDelivery', {
  id,
  targetId,
  channel,
  status,
  reason,
  createdAt,
  sentAt,
  error: z.string().nullable().meta({ description: 'of the last attempt' }),
  to: z
    .object({
      type: z.enum(['person', 'subscription', 'webhook_endpoint']),
      id: z.string(),
      name: z.string().nullable().meta({ description: 'null: it is not there any more' }),
    })
    .meta({ id: 'AlertDeliveryReceiver', description: 'a person; of a chat or a webhook what it is sent for' }),
});
type AlertDelivery = z.infer<typeof AlertDelivery>;

/** The deliveries about an alert with their receivers, newest first. */
export async function deliveriesOf(
  table: Table,
  alertId: string,
  range: { before?: string | undefined; limit: number },
) {
  const { data, next } = await listOfRecord(table, `alert/${alertId}`, range);
  return { data: await withReceivers(table, data), next };
}

const PERSON = 'user/';

async function withReceivers(table: Table, rows: readonly DeliveryRow[]): Promise<AlertDelivery[]> {
  const people = rows.flatMap(({ subject }) => (subject.startsWith(PERSON) ? [subject.slice(PERSON.length)] : []));
  const targets = rows.filter(({ subject }) => !subject.startsWith(PERSON)).map(({ targetId }) => targetId);
  const [foundUsers, endpoints, ofChannels] = await Promise.all([
    table.findMany(users, people),
    withoutPart(table).findMany(webhookEndpoints, targets),
    table.findMany(subscriptions, targets),
  ]);
  const names = new Map([...foundUsers, ...endpoints, ...ofChannels].map(({ id, name }) => [id, name]));
  const ofEndpoints = new Set(endpoints.map(({ id }) => id));
  return rows.map((row) => {
    const isPerson = row.subject.startsWith(PERSON);
    const to = isPerson ? row.subject.slice(PERSON.length) : row.targetId;
    const type = isPerson ? 'person' : ofEndpoints.has(to) ? 'webhook_endpoint' : 'subscription';
    const { id, targetId, channel, status, reason, createdAt, sentAt } = row;
    const error = row.attempts.at(-1)?.error ?? null;
    const name = names.get(to) ?? null;
    return { id, targetId, channel, status, reason, createdAt, sentAt, error, to: { type, id: to, name } };
  });
}
