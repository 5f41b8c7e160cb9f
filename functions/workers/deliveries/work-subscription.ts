import { wakeReader } from '#shared/events/wake.ts';
import { factsOfComments } from '#shared/notifications/comments.ts';
import { lineOf } from '#shared/notifications/lines.ts';
import { addressed } from '#shared/notifications/receivers.ts';
import { eventsFor } from '#shared/notifications/select.ts';
import { dueAt } from '#shared/notifications/timing.ts';
import { addWaiting } from '#shared/notifications/waiting.ts';
import type { Sheet } from '#shared/platform/feed/log.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { postWaiting } from './post-waiting.ts';
import { fitting, keep, newsIn } from './send-events.ts';
import type { Subscribed } from './sending.ts';

/**
 * Adds the events of a sheet of the log to the messages that wait, each once: a worker that dies in between adds the others when it comes
 * again. Behind the last sheet, what is due for a channel is posted.
 * @returns whether the visit goes on
 */
export async function workSubscription(sending: Subscribed, sheet: Sheet | undefined): Promise<boolean> {
  if (!sheet) return postWaiting(sending);
  const { events, last } = newsIn(sending, sheet);
  const fits = await fitting(sending, events);
  if (!fits) return false;
  const fitted = events.filter(fits);
  if (fitted.length > 0) await addAll(sending, { events: fitted, until: last });
  return keep(sending, last);
}

type News = { events: ReturnType<typeof newsIn>['events']; until: number };

async function addAll(sending: Subscribed, news: News): Promise<void> {
  const { table, reader } = sending;
  const { events, facts } = await eventsFor(table, reader, news.events, factsOfComments);
  const linesOf = (some: typeof events) => some.map((event) => lineOf(event, facts.get(event.subject)));
  const { id: source, name: reason, channels, to, timeZone } = reader;
  const about = { source, reason, channels, until: news.until };
  const at = nowMs();
  if (to === null && events.length > 0)
    await addWaiting(table, {
      ...about,
      receiverId: source,
      lines: linesOf(events),
      dueAt: dueAt(reader, { at, timeZone: timeZone ?? 'UTC' }),
    });
  if (to === null) return;
  for (const { user, events: theirs } of await addressed(table, { subscription: reader, events, facts })) {
    const due = dueAt(reader, { at, timeZone: timeZone ?? user.timeZone });
    await addWaiting(table, { ...about, receiverId: user.id, lines: linesOf(theirs), dueAt: due });
    if (due <= at) await wakeReader(sending, { kind: 'person', readerId: user.id });
  }
}
