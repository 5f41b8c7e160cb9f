import { postTo } from '#shared/events/call-endpoint.ts';
import { isWanted } from '#shared/events/catalogue.ts';
import { type Event, eventsOf } from '#shared/events/event.ts';
import { matchingOf, withFilter } from '#shared/events/matching.ts';
import { readAddress } from '#shared/notifications/address.ts';
import { slackMessage, teamsMessage } from '#shared/notifications/chat.ts';
import { lineOf } from '#shared/notifications/lines.ts';
import { addressed } from '#shared/notifications/receivers.ts';
import { eventsFor } from '#shared/notifications/select.ts';
import { isPersonal, type Subscription } from '#shared/notifications/subscription.ts';
import { notify } from '#shared/notifications/waiting.ts';
import { recentChanges } from '#shared/platform/feed/read-changes.ts';
import { isVisible } from '#shared/platform/feed/visible.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { reachOf } from '#shared/platform/outgoing/ask.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { withoutPart } from '#shared/platform/table/table.ts';
import type { notificationRoutes } from './routes.ts';
import { assertMayChange, assertSound, ownerOf, readSubscription } from './subscriptions.ts';

type Routes = typeof notificationRoutes;

const WEEK_SECONDS = 7 * 86_400;
const MAX_LINES = 50;

/** Lists the events that a subscription would have sent, by the code that sends. */
export async function previewSubscription(call: Call<Routes['previewNotificationSubscription']>) {
  const { table, caller, body } = call;
  const { address, ...asked } = body;
  const ownerId = ownerOf(call, asked);
  assertMayChange(call, ownerId);
  await assertSound(table, asked, address !== undefined);
  const given = await withFilter(table, asked);
  const whole = withoutPart(table);
  const { found, complete } = await recentChanges(whole, inSeconds(-WEEK_SECONDS));
  const wanted = found
    .flatMap((change) => eventsOf(table.organizationId, change))
    .filter(({ type, data }) => isWanted(given.types, type) && isVisible(caller, data));
  const fits = await matchingOf(whole, given, wanted);
  const { events, facts } = await eventsFor(whole, given, wanted.filter(fits));
  const state = { ownerId, addressHost: null, status: 'active', error: null } as const;
  const subscription = whole.stamp<Subscription>({ ...given, ...state, id: newId() });
  const people = given.to ? await addressed(whole, { subscription, events, facts }) : [];
  const sent = given.to ? unique(people.flatMap((one) => one.events)) : events;
  return {
    count: sent.length,
    complete,
    people: people.map(({ user, events: theirs }) => ({ id: user.id, name: user.name, count: theirs.length })),
    lines: sent
      .toReversed()
      .slice(0, MAX_LINES)
      .map((event) => lineOf(event, facts.get(event.subject))),
  };
}

const unique = (events: readonly Event[]): Event[] =>
  [...new Map(events.map((event) => [event.id, event])).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Sends a message that says that it is a test: to the channel, or to the caller. */
export async function testSubscription(call: Call<Routes['testNotificationSubscription']>) {
  const { connections, table, caller, params } = call;
  const subscription = await readSubscription(call, params.id);
  assertMayChange(call, subscription.ownerId);
  const { id, name, channels } = subscription;
  const subject = `subscription/${id}`;
  const about = { eventId: newId(), type: 'notification.test', subject, page: null, at: now() };
  const line = { ...about, text: 'This message is a test.' };
  const message = { reason: name, count: 1, lines: [line] };
  if (isPersonal(subscription)) {
    if (caller.kind !== 'user') throw conflict('Only a person tests messages to people: they go to the caller.');
    await notify(table, { userId: caller.id, source: id, reason: name, line, channels });
    return { sentAt: now(), error: null };
  }
  const url = await readAddress(call, id);
  if (url === undefined) throw conflict('Test the webhook endpoint itself: POST /api/v1/webhook-endpoints/{id}/test.');
  const { network } = reachOf(connections);
  const body = (channels.includes('slack') ? slackMessage : teamsMessage)(message, connections.settings.BASE_URL);
  const { at, error } = await postTo({ network, url, body: JSON.stringify(body) });
  return { sentAt: at, error };
}
