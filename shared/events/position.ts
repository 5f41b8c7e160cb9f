import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { moveTimer } from '#shared/platform/timers/timers.ts';

/** The readers of the log. */
export type ReaderKind = 'webhook' | 'subscription';

/** How far a webhook endpoint or a subscription has read the log. */
export type Position = {
  readerId: string;
  /** Absent: an endpoint. */
  kind?: ReaderKind | undefined;
  /** The number of the last change whose events are all sent or skipped. */
  seen: number;
  /** Calls of the next event that failed in a row, and when the first of them did. */
  failures: number;
  failingSince?: string | undefined;
  /** When the next call is due. */
  retryAt?: string | undefined;
  /** The last call took long. */
  slow?: true | undefined;
  /** Events that were sent before this time are sent again: somebody asked for it. */
  againFrom?: string | undefined;
};

export const positions = defineRow<Position, Pick<Position, 'readerId'>>({
  name: 'webhook-position',
  about: 'the number of the last change whose events an endpoint or a subscription has, and when its next call is due',
  key: ({ readerId }) => [readerId],
});

/** Whether a reader is worked in lanes apart: those behind it in a lane would wait for its calls and its repetitions. */
export const isApart = ({ failures, slow }: Position): boolean => failures > 0 || slow === true;

/** The writes that change a position with the timer of the next call; another worker may have moved the position meanwhile. */
export function positionWrites(table: Table, position: Position, changes: Partial<Position>): Write[] {
  const row = { ...position, ...changes };
  const expect = { seen: position.seen };
  const write = putWrite(table.tenant, positions, { row, expect, fail: () => new Overtaken() });
  return [write, ...retryTimerWrites(table, position, row.retryAt)];
}

/** The writes that end a position with its timer. */
export const positionRemoval = (table: Table, position: Position): Write[] => [
  { remove: rowKey(table.tenant, positions, position) },
  ...retryTimerWrites(table, position, undefined),
];

function retryTimerWrites(
  { organizationId }: Table,
  { readerId, kind = 'webhook', retryAt }: Position,
  next: string | undefined,
) {
  const [was, is] = [retryAt, next].map((time) => (time === undefined ? undefined : Date.parse(time)));
  return moveTimer({ kind, organizationId, id: readerId }, was, is);
}

/** Seconds until the next call after so many failures in a row: from seconds to a day. */
const WAITS_SECONDS = [5, 60, 300, 900, 3600, 7200, 14_400, 28_800, 57_600, 86_400];

/** An endpoint that fails for so long is turned off. */
export const GIVE_UP_SECONDS = 5 * 86_400;

/**
 * @param random from 0 to 1: moves the time by up to a fifth, so that endpoints of one receiver do not come back at once
 * @param askedAt the endpoint's own wish (`Retry-After`)
 */
export function retryTime(failures: number, random: number, askedAt: string | undefined): string {
  const wait = WAITS_SECONDS[Math.min(failures, WAITS_SECONDS.length) - 1] ?? 0;
  const at = inSeconds(Math.round(wait * (1 + random / 5)));
  return askedAt !== undefined && askedAt > at ? askedAt : at;
}
