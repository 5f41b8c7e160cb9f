import { callEndpoint } from '#shared/events/call-endpoint.ts';
import { type Event, eventsOf, isFor } from '#shared/events/event.ts';
import { matchingOf } from '#shared/events/matching.ts';
import { isApart, positions } from '#shared/events/position.ts';
import { sendEvent, skipEvent } from '#shared/events/send-event.ts';
import { announcedIn, type Sheet } from '#shared/platform/feed/log.ts';
import { reachOf } from '#shared/platform/outgoing/ask.ts';
import { elapsedMs, now } from '#shared/platform/runtime/clock.ts';
import { ApiError, Overtaken } from '#shared/platform/runtime/errors.ts';
import { isOver, noteFailure, noteSuccess } from './health.ts';
import type { Sending, Target } from './sending.ts';

/**
 * Sends the events of a sheet of the log, in their order. The first that the receiver does not take ends the visit: the others wait behind it, and its
 * time of the next call is set. Each event has a row before it is sent, so that a worker that dies repeats at most one call, with the same id.
 * @returns whether the visit goes on
 */
export async function sendSheet(sending: Sending & { target: Target }, sheet: Sheet): Promise<boolean> {
  const { events, last } = newsIn(sending, sheet);
  const fits = await fitting(sending, events);
  if (!fits) return false;
  for (const event of events) {
    const reached = Number(event.sequence) - 1;
    if (elapsedMs() > sending.end) return keep(sending, reached);
    if (!fits(event)) {
      await skipEvent(sending.table, sending.reader.id, event);
      continue;
    }
    const called = await sendTo(sending, event);
    if (called && called.error !== null) {
      await noteFailure({ ...sending, reached }, called);
      return true;
    }
    await noteSuccess(sending, called);
    // from here on the reader is of another lane, which works it at the same time
    if (isApart(sending.position) !== sending.apart) return keep(sending, reached);
  }
  return keep(sending, last);
}

/** Sends an event to the target of a reader. @returns undefined where the reader has it */
function sendTo({ table, connections, reader, position, target }: Sending & { target: Target }, event: Event) {
  const { network } = reachOf(connections);
  return sendEvent({
    table,
    targetId: reader.id,
    event,
    isAgain: (sentAt) => position.againFrom !== undefined && sentAt < position.againFrom,
    call: (body) => callEndpoint({ network, ...target, eventId: event.id, body }),
    isOver: (called) => isOver(position, called),
  });
}

/** The events of a sheet that a reader wants and has not seen, and the number of its last change. */
export function newsIn({ table, reader, position }: Sending, sheet: Sheet): { events: Event[]; last: number } {
  const changes = announcedIn(sheet).filter(({ number }) => number > position.seen);
  const events = changes
    .flatMap((change) => eventsOf(table.organizationId, change))
    .filter((event) => isFor(reader, event));
  return { events, last: changes.at(-1)?.number ?? position.seen };
}

/** A filter that is none any more lets nothing through: the reader says so and waits. */
export async function fitting(
  sending: Sending,
  events: readonly Event[],
): Promise<((event: Event) => boolean) | undefined> {
  try {
    return await matchingOf(sending.table, sending.reader, events);
  } catch (error) {
    if (!(error instanceof ApiError) || error instanceof Overtaken) throw error;
    const failed = {
      at: now(),
      status: null,
      error: `The filter cannot be evaluated: ${error.message}`,
      milliseconds: 0,
    };
    await noteFailure({ ...sending, reached: sending.position.seen }, { ...failed, isGone: false });
    return undefined;
  }
}

/** Keeps how far the events are sent. @returns false: somebody else moved the position, for example to send some again */
export async function keep({ table, position }: Sending, reached: number): Promise<boolean> {
  const { readerId, seen } = position;
  return table.rows(positions).set({ readerId }, { seen: Math.max(reached, seen) }, { seen });
}
