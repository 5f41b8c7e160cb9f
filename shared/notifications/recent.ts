import { isWanted } from '#shared/events/catalogue.ts';
import { type Event, eventsOf } from '#shared/events/event.ts';
import { matchingOf } from '#shared/events/matching.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { recentChanges } from '#shared/platform/feed/read-changes.ts';
import { isVisible } from '#shared/platform/feed/visible.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { type Table, withoutPart } from '#shared/platform/table/table.ts';
import { addressed } from './receivers.ts';
import { eventsFor, type OfComments } from './select.ts';
import type { Subscription } from './subscription.ts';

const WEEK_SECONDS = 7 * 86_400;

/** The events of the last seven days that a subscription would have sent, by the code that sends; without those that the caller may not read. */
export async function recentlySent(
  { table, caller }: { table: Table; caller: Caller },
  subscription: Subscription,
  ofComments?: OfComments,
) {
  const whole = withoutPart(table);
  const { found, complete } = await recentChanges(whole, inSeconds(-WEEK_SECONDS));
  const wanted = found
    .flatMap((change) => eventsOf(table.organizationId, change))
    .filter(({ type, data }) => isWanted(subscription.types, type) && isVisible(caller, data));
  const fits = await matchingOf(whole, subscription, wanted);
  const { events, facts } = await eventsFor(whole, subscription, wanted.filter(fits), ofComments);
  const people = subscription.to ? await addressed(whole, { subscription, events, facts }) : [];
  const sent = subscription.to ? unique(people.flatMap((one) => one.events)) : events;
  return { sent, people, facts, complete };
}

const unique = (events: readonly Event[]): Event[] =>
  [...new Map(events.map((event) => [event.id, event])).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
