import { GIVE_UP_SECONDS, type Position, positionWrites, retryTime } from '#shared/events/position.ts';
import type { Called } from '#shared/platform/outgoing/delivery.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { random } from '#shared/platform/runtime/random.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Sending } from './sending.ts';

/** A call that takes so long is slow. */
const SLOW_MS = 2000;

/**
 * The receiver took an event: its failures are over. Without a call it had the event before: a worker that died after the call did not
 * note it.
 */
export async function noteSuccess({ table, position, reader, note }: Sending, called?: Called): Promise<void> {
  const slow = called ? called.milliseconds >= SLOW_MS || undefined : position.slow;
  if (position.failures > 0 || position.slow !== slow)
    await move(table, position, { failures: 0, failingSince: undefined, retryAt: undefined, slow });
  if (reader.status !== 'failing') return;
  await note({ status: 'active', error: null });
  reader.status = 'active';
}

/** Whether a receiver is turned off after this call: it is gone, or failed for five days. */
export const isOver = ({ failingSince }: Position, { at, isGone }: Called): boolean =>
  isGone || (failingSince ?? at) < inSeconds(-GIVE_UP_SECONDS);

/**
 * The receiver did not take the event after the number `reached`. Sets the time of the next call; after five days of failures, or when
 * the receiver is gone, turns the reader off.
 * @param code why there was no call
 */
export async function noteFailure(
  { table, position, note, reached, code = 'not_taken' }: Sending & { reached: number; code?: string },
  called: Called,
): Promise<void> {
  const { at, error, isGone, retryAt } = called;
  const failures = position.failures + 1;
  const failingSince = position.failingSince ?? at;
  const isLast = isOver(position, called);
  await move(table, position, {
    seen: Math.max(reached, position.seen),
    failures,
    failingSince,
    retryAt: isLast ? undefined : retryTime(failures, random(), retryAt),
  });
  const problem = { code: isGone ? 'gone' : code, message: error ?? '', at };
  await note(isLast ? { enabled: false, status: 'disabled', error: problem } : { status: 'failing', error: problem });
}

/** Moves the position with the timer of its next call. */
async function move(table: Table, position: Position, changes: Partial<Position>): Promise<void> {
  await table.write(...positionWrites(table, position, changes));
  Object.assign(position, changes);
}
