import { callEndpoint } from '#shared/events/call-endpoint.ts';
import { type Event, eventsOf, isFor } from '#shared/events/event.ts';
import { FILTER_INVALID } from '#shared/events/health.ts';
import { matchingOf } from '#shared/events/matching.ts';
import { isApart, positions } from '#shared/events/position.ts';
import { callWith, planDeliveries } from '#shared/events/send-event.ts';
import { announcedIn, type Sheet } from '#shared/platform/feed/log.ts';
import { reachOf } from '#shared/platform/outgoing/ask.ts';
import { afterCall, type Called, type DeliveryRow } from '#shared/platform/outgoing/delivery.ts';
import { hasFailed, keepDelivery, putDeliveries } from '#shared/platform/outgoing/ledger.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { elapsedMs, now } from '#shared/platform/runtime/clock.ts';
import { ApiError, Overtaken } from '#shared/platform/runtime/errors.ts';
import { isOver, noteFailure, noteSuccess } from './health.ts';
import type { Sending, Target } from './sending.ts';

/** Events that are looked up together. */
const AT_ONCE = 25;

/**
 * Sends the events of a sheet of the log, in their order. The first that the receiver does not take ends the visit: the others wait behind it, and its
 * time of the next call is set. Each event has a row before it is sent, so that a worker that dies repeats at most one call, with the same id.
 * @returns whether the visit goes on
 */
export async function sendSheet(sending: Sending & { target: Target }, sheet: Sheet): Promise<boolean> {
  const { events, last } = newsIn(sending, sheet);
  const fits = await fitting(sending, events);
  if (!fits) return false;
  for (const some of chunksOf(events, AT_ONCE)) {
    const { end, failed } = await sendSome(sending, some, fits);
    if (end && failed) await noteFailure({ ...sending, reached: before(end) }, failed);
    if (end) return failed ? true : keep(sending, before(end));
  }
  return keep(sending, last);
}

const before = ({ sequence }: Event): number => Number(sequence) - 1;

/** Where the sending of some events ended: at one that failed, or that is left to another visit. */
type Ended = { end?: Event; failed?: Called };

/**
 * The outcome of a call is written together with the row of the next one: one request for each event, beside its call.
 * @returns nothing where all of them are sent or skipped
 */
async function sendSome(sending: Sending & { target: Target }, events: readonly Event[], fits: Fits): Promise<Ended> {
  const { table, reader, position, apart } = sending;
  const isAgain = (sentAt: string) => position.againFrom !== undefined && sentAt < position.againFrom;
  const planned = await planDeliveries(table, { targetId: reader.id, status: 'pending', fits, isAgain }, events);
  const outcomes: DeliveryRow[] = [];
  try {
    for (const { event, known, row } of planned) {
      if (elapsedMs() > sending.end) return { end: event };
      const isSent = row?.status !== 'pending' && known?.status === 'sent';
      if (row?.status !== 'pending' && !isSent) continue;
      const called = isSent || !row ? undefined : await sendTo(sending, { row, known, outcomes });
      if (called && called.error !== null) return { end: event, failed: called };
      await noteSuccess(sending, called);
      // from here on the reader is of another lane, which works it at the same time
      if (isApart(position) !== apart) return { end: event };
    }
    return {};
  } finally {
    await putDeliveries(table, outcomes);
  }
}

type Outgoing = { row: DeliveryRow; known: DeliveryRow | undefined; outcomes: DeliveryRow[] };

/** Calls the target of a reader with an event. @param out its `outcomes` are not written yet */
async function sendTo(sending: Sending & { target: Target }, { row, known, outcomes }: Outgoing): Promise<Called> {
  const { table, connections, position, target } = sending;
  const { network } = reachOf(connections);
  const call = (body: string) => callEndpoint({ network, ...target, eventId: row.id, body });
  const isLast = (called: Called) => isOver(position, called);
  const earlier = outcomes.splice(0);
  if (hasFailed(known)) {
    await putDeliveries(table, earlier);
    return callWith({ table, row, known, call, isOver: isLast });
  }
  await putDeliveries(table, [...earlier, row]);
  const called = await call(row.payload ?? '');
  const after = afterCall(row, called, isLast(called));
  if (called.error === null) outcomes.push(after);
  else await keepDelivery(table, after, row);
  return called;
}

/** The events of a sheet that a reader wants and has not seen, and the number of its last change. */
export function newsIn({ table, reader, position }: Sending, sheet: Sheet): { events: Event[]; last: number } {
  const changes = announcedIn(sheet).filter(({ number }) => number > position.seen);
  const events = changes
    .flatMap((change) => eventsOf(table.organizationId, change))
    .filter((event) => isFor(reader, event));
  return { events, last: changes.at(-1)?.number ?? position.seen };
}

type Fits = (event: Event) => boolean;

/** A filter that is none any more lets nothing through: the reader says so and waits. */
export async function fitting(sending: Sending, events: readonly Event[]): Promise<Fits | undefined> {
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
    const stopped = { ...sending, reached: sending.position.seen, code: FILTER_INVALID };
    await noteFailure(stopped, { ...failed, isGone: false });
    return undefined;
  }
}

/** Keeps how far the events are sent. @returns false: somebody else moved the position, for example to send some again */
export async function keep({ table, position }: Sending, reached: number): Promise<boolean> {
  const { readerId, seen } = position;
  return table.rows(positions).set({ readerId }, { seen: Math.max(reached, seen) }, { seen });
}
