import { nowMs } from '#shared/platform/runtime/clock.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { putTimer } from '#shared/platform/timers/timers.ts';
import type { Line } from './inbox.ts';
import { SETTLE_MS } from './timing.ts';

/** Lines that one message shows; it counts the others. */
export const MAX_LINES = 30;

/** The events that wait for one message: of a subscription for a person, or for its channel. */
export type Waiting = {
  /** A user, or the subscription itself for its channel. */
  receiverId: string;
  /** The subscription. */
  source: string;
  /** Why the message comes. */
  reason: string;
  channels: readonly string[];
  count: number;
  lines: Line[];
  /** When the message is due, in milliseconds since the epoch; after it is sent, when that was. */
  dueAt: number;
  /** The number of the last change that is in it or was sent: changes up to it are not added again. */
  until: number;
  /** Counts the changes: a writer names the number that it read. */
  change: number;
  /** The delivery with which the channel is called until it takes the message: what is added meanwhile is of the next message. */
  sending?: string | undefined;
};

export const waitingRows = defineRow<Waiting, Pick<Waiting, 'receiverId' | 'source'>>({
  name: 'notification-waiting',
  about: 'the events that wait for the next message of a subscription to a person or a channel',
  key: ({ receiverId, source }) => [receiverId, source],
});

type Added = Pick<Waiting, 'receiverId' | 'source' | 'reason' | 'channels'> & {
  lines: readonly Line[];
  /** When the message is due, if none waits already. */
  dueAt: number;
  /** The number of the last change that was looked at; absent: the events are of no reader of the log. */
  until?: number;
};

/** Adds events to the next message, each once, however often it is asked to. */
export const addWaiting = (table: Table, { lines, until, dueAt, ...about }: Added): Promise<void> =>
  retry(async () => {
    const row = await table.rows(waitingRows).find(about, true);
    if (until !== undefined && row && row.until >= until) return;
    const waits = row && row.count > 0 ? row : { count: 0, lines: [], dueAt };
    const next = {
      ...about,
      count: waits.count + lines.length,
      lines: [...waits.lines, ...lines].slice(0, MAX_LINES),
      dueAt: waits.dueAt,
      until: until ?? row?.until ?? 0,
      sending: row?.sending,
    };
    await table.write(changeWrite(table, row, next), putTimer(timerOf(table, next)));
  });

const timerOf = (
  { organizationId }: Table,
  { receiverId, source, dueAt }: Pick<Waiting, 'receiverId' | 'source' | 'dueAt'>,
) =>
  receiverId === source
    ? ({ kind: 'subscription', organizationId, id: source, at: dueAt } as const)
    : ({ kind: 'notification', organizationId, id: receiverId, at: dueAt } as const);

function changeWrite(table: Table, read: Waiting | undefined, next: Omit<Waiting, 'change'>): Write {
  const change = read?.change ?? 0;
  const expect = read ? { change } : ('absent' as const);
  return putWrite(table.tenant, waitingRows, {
    row: { ...next, change: change + 1 },
    expect,
    fail: () => new Overtaken(),
  });
}

/** The messages to a receiver that are due. */
export const dueOf = async (table: Table, receiverId: string): Promise<Waiting[]> =>
  (await table.rows(waitingRows).query(receiverId, { consistent: true })).filter(
    ({ count, dueAt }) => count > 0 && dueAt <= nowMs(),
  );

/** The write by which a message is sent, or is being sent in a delivery: its events wait no more. */
export const sentWrite = (table: Table, row: Waiting, sending?: string): Write =>
  changeWrite(table, row, { ...row, count: 0, lines: [], dueAt: nowMs(), sending });

/** The channel took the message: the next one may go out. */
export const takenWrite = (table: Table, row: Waiting): Write =>
  changeWrite(table, row, { ...row, sending: undefined });

type Notice = Pick<Waiting, 'source' | 'reason'> & {
  userId: string;
  lines: readonly Line[];
  channels: readonly string[];
};

/** Notifies a user, with whatever else waits for the user then. */
export const notify = (table: Table, { userId, ...about }: Notice): Promise<void> =>
  addWaiting(table, { ...about, receiverId: userId, dueAt: nowMs() + SETTLE_MS });
