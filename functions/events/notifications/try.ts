import { postTo } from '#shared/events/call-endpoint.ts';
import { withFilter } from '#shared/events/matching.ts';
import { readAddress } from '#shared/notifications/address.ts';
import type { Line } from '#shared/notifications/inbox.ts';
import { lineOf } from '#shared/notifications/lines.ts';
import { recentlySent } from '#shared/notifications/recent.ts';
import { isPersonal, type Subscription } from '#shared/notifications/subscription.ts';
import { notify } from '#shared/notifications/waiting.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { reachOf } from '#shared/platform/outgoing/ask.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { withoutPart } from '#shared/platform/table/table.ts';
import type { notificationRoutes } from './routes.ts';
import { assertMayChange, assertSound, ownerOf, readSubscription } from './subscriptions.ts';

type Routes = typeof notificationRoutes;

const MAX_LINES = 50;

/** Lists the events that a subscription would have sent, by the code that sends. */
export async function previewSubscription(call: Call<Routes['previewNotificationSubscription']>) {
  const { table, body } = call;
  const { address, ...asked } = body;
  const ownerId = ownerOf(call, asked);
  assertMayChange(call, ownerId);
  await assertSound(table, asked, address !== undefined);
  const given = await withFilter(table, asked);
  const state = { ownerId, addressHost: null, status: 'active', error: null } as const;
  const subscription = withoutPart(table).stamp<Subscription>({ ...given, ...state, id: newId() });
  const { sent, people, facts, complete } = await recentlySent(call, subscription);
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

/** Newest events in the message of a test. */
const SAMPLES = 3;

/** Sends a message that says that it is a test, with the newest events that it would have sent: to the channel, or to the caller. */
export async function testSubscription(call: Call<Routes['testNotificationSubscription']>) {
  const { connections, table, caller, params } = call;
  const subscription = await readSubscription(call, params.id);
  assertMayChange(call, subscription.ownerId);
  const { id, name: reason, channels } = subscription;
  const isToPeople = isPersonal(subscription);
  if (isToPeople && caller.kind !== 'user')
    throw conflict('Only a person tests messages to people: they go to the caller.');
  const url = isToPeople ? undefined : await readAddress(call, id);
  if (!isToPeople && url === undefined)
    throw conflict('Test the webhook endpoint itself: POST /api/v1/webhook-endpoints/{id}/test.');
  const lines = await testLines(call, subscription);
  if (url === undefined) {
    await notify(table, { userId: caller.id, source: id, reason, lines, channels });
    return { sentAt: now(), error: null, lines };
  }
  const { network } = reachOf(connections);
  const { slackMessage, teamsMessage } = await import('#shared/notifications/chat.ts');
  const format = channels.includes('slack') ? slackMessage : teamsMessage;
  const body = JSON.stringify(format({ reason, count: lines.length, lines }, connections.settings.BASE_URL));
  const { at, error } = await postTo({ network, url, body });
  return { sentAt: at, error, lines };
}

/** Each line says that it is a test: it may come beside others that wait. */
async function testLines(
  call: Call<Routes['testNotificationSubscription']>,
  subscription: Subscription,
): Promise<Line[]> {
  const { sent, facts } = await recentlySent(call, subscription);
  const subject = `subscription/${subscription.id}`;
  const about = { eventId: newId(), type: 'notification.test', subject, page: null, at: now() };
  const newest = sent.slice(-SAMPLES).map((event) => lineOf(event, facts.get(event.subject)));
  const marked = newest.map((line) => ({ ...line, text: `Test: ${line.text}` }));
  return [{ ...about, text: 'This message is a test.' }, ...marked];
}
