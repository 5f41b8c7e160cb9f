import { isWanted } from '#shared/events/catalogue.ts';
import { eventsOf } from '#shared/events/event.ts';
import { matchingOf } from '#shared/events/matching.ts';
import { simulateEvent, skipEvent } from '#shared/events/send-event.ts';
import { webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { recentChanges } from '#shared/platform/feed/read-changes.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { sentDeliveries } from '#shared/platform/outgoing/delivery.ts';
import { shownWhole } from '#shared/platform/outgoing/delivery-list.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import type { deliveryRoutes } from './routes.ts';

const WEEK_SECONDS = 7 * 86_400;

/** Works the newest events for an endpoint by the code that sends them, without the call. */
export async function simulate({ table, body }: Call<(typeof deliveryRoutes)['simulateDeliveries']>) {
  const { targetId, limit } = body;
  const endpoint = await table.get(webhookEndpoints, targetId, true);
  const { found } = await recentChanges(table, inSeconds(-WEEK_SECONDS));
  const events = found
    .flatMap((change) => eventsOf(table.organizationId, change))
    .filter(({ type }) => isWanted(endpoint.types, type))
    .slice(-limit);
  const fits = await matchingOf(table, endpoint, events);
  for (const event of events) await (fits(event) ? simulateEvent : skipEvent)(table, targetId, event);
  const rows = await table.rows(sentDeliveries).findMany(
    events.map(({ id }) => ({ targetId, id })),
    true,
  );
  return { data: rows.toSorted((a, b) => (a.id < b.id ? 1 : -1)).map(shownWhole) };
}
