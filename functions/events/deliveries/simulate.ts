import { eventsOf, isFor } from '#shared/events/event.ts';
import { matchingOf } from '#shared/events/matching.ts';
import { planDeliveries } from '#shared/events/send-event.ts';
import { type WebhookEndpoint, webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { factsOfComments } from '#shared/notifications/comments.ts';
import { chatDelivery, personDelivery } from '#shared/notifications/ledger.ts';
import { lineOf } from '#shared/notifications/lines.ts';
import { recentlySent } from '#shared/notifications/recent.ts';
import { isPersonal, type Subscription, subscriptions } from '#shared/notifications/subscription.ts';
import { MAX_LINES } from '#shared/notifications/waiting.ts';
import { recentChanges } from '#shared/platform/feed/read-changes.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { type DeliveryKey, sentDeliveries } from '#shared/platform/outgoing/delivery.ts';
import { shownWhole } from '#shared/platform/outgoing/delivery-list.ts';
import { keepDelivery } from '#shared/platform/outgoing/ledger.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import type { deliveryRoutes } from './routes.ts';

type Simulated = Call<(typeof deliveryRoutes)['simulateDeliveries']>;

const WEEK_SECONDS = 7 * 86_400;

/** Works the newest events for a target by the code that sends them, without the call. */
export async function simulate(call: Simulated) {
  const { table, body } = call;
  const endpoint = await table.find(webhookEndpoints, body.targetId, true);
  const reader = endpoint ?? (await table.get(subscriptions, body.targetId, true));
  const keys = await ('channels' in reader && !reader.channels.includes('webhook')
    ? simulateMessages(call, reader)
    : simulateEvents(call, reader));
  const rows = await table.rows(sentDeliveries).findMany(keys, true);
  return { data: rows.toSorted((a, b) => (a.id < b.id ? 1 : -1)).map(shownWhole) };
}

type Reader = Pick<WebhookEndpoint, 'id' | 'types' | 'matching'>;

async function simulateEvents({ table, body }: Simulated, reader: Reader): Promise<DeliveryKey[]> {
  const { id: targetId } = reader;
  const { found } = await recentChanges(table, inSeconds(-WEEK_SECONDS));
  const events = found
    .flatMap((change) => eventsOf(table.organizationId, change))
    .filter((event) => isFor(reader, event))
    .slice(-body.limit);
  const fits = await matchingOf(table, reader, events);
  await planDeliveries(table, { targetId, status: 'simulated', fits, isAgain: () => false }, events);
  return events.map(({ id }) => ({ targetId, id }));
}

/** One message for each receiver, with the newest events. */
async function simulateMessages(call: Simulated, subscription: Subscription): Promise<DeliveryKey[]> {
  const { connections, table, body } = call;
  const { id: source, name: reason, channels } = subscription;
  const { sent, people, facts } = await recentlySent(call, subscription, factsOfComments);
  const toAll = isPersonal(subscription)
    ? people.map(({ user, events }) => ({ receiverId: user.id, events }))
    : [{ receiverId: source, events: sent }];
  const rows = toAll.flatMap(({ receiverId, events }) => {
    const newest = events.slice(-body.limit);
    const until = Number(newest.at(-1)?.sequence);
    const lines = newest.slice(0, MAX_LINES).map((event) => lineOf(event, facts.get(event.subject)));
    const message = { source, receiverId, reason, channels, count: newest.length, lines, until, change: 0 };
    if (newest.length === 0) return [];
    return isPersonal(subscription) ? personDelivery(message) : chatDelivery(message, connections.settings.BASE_URL);
  });
  const known = await table.rows(sentDeliveries).findMany(rows, true);
  const there = new Set(known.map(({ id }) => id));
  for (const row of rows) if (!there.has(row.id)) await keepDelivery(table, { ...row, status: 'simulated' });
  return rows;
}
