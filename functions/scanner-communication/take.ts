import { clearHint, hintOf, type QueuedTask, readQueue, type WorkHint } from '#shared/dispatch/queue.ts';
import { type ScannerTask, SHARDS, scannerTasks } from '#shared/entities/scanner-task.ts';
import { nowMs } from '#shared/runtime/clock.ts';
import { ordinalOf } from '#shared/runtime/ids.ts';
import { log } from '#shared/runtime/log.ts';
import { random } from '#shared/runtime/random.ts';
import type { Table } from '#shared/table/table.ts';

type Search = { queues: readonly string[]; hint: WorkHint | undefined; room: number; attempt: number };

/** Tasks to hand out, whose they are, and whether something waits beyond them. */
export type Found = {
  owner: Table;
  tasks: ScannerTask[];
  /** Until when each may be taken, of those with a window. */
  windows: ReadonlyMap<string, number>;
  more: boolean;
  /** Queues that were seen to their end. */
  seen: readonly SeenQueue[];
};

/** What waited in a queue, all of it, and what tells other scanners that nothing waits there any more. */
type SeenQueue = { taskIds: string[]; clear: () => Promise<void> };

export const nothing = (owner: Table, more = false): Found => ({
  owner,
  tasks: [],
  windows: new Map(),
  more,
  seen: [],
});

/** Tasks that wait in these queues, oldest first. */
export async function findWork(table: Table, { queues, hint, room, attempt }: Search): Promise<Found> {
  const hinted = queues.filter((queue) => hintOf(hint, queue) !== undefined);
  if (hinted.length === 0 || room === 0) return nothing(table, hinted.length > 0);
  const width = widthOf(room);
  const found = await Promise.all(
    hinted.map(async (queue) => {
      const stamp = hintOf(hint, queue);
      const rows = await readQueue(table, queue, width);
      if (rows.length === 0) await clearHint(table, queue, stamp);
      return { queue, stamp, rows };
    }),
  );
  const seen = found
    .filter(({ rows }) => rows.length > 0 && rows.length < width)
    .map(({ queue, stamp, rows }) => ({ taskIds: idsOf(rows), clear: () => clearHint(table, queue, stamp) }));
  const waiting = found.flatMap(({ rows }) => rows);
  return { ...(await pick(table, waiting, { room, attempt })), seen };
}

export const idsOf = (rows: readonly QueuedTask[]): string[] => rows.map(({ taskId }) => taskId);

/**
 * After the last tasks of a queue were taken: no scanner is to be told that work waits there. If that fails, the next
 * that looks finds it empty.
 */
export async function clearEmptied({ tasks, seen }: Pick<Found, 'tasks' | 'seen'>): Promise<void> {
  const taken = new Set(tasks.map(({ id }) => id));
  const emptied = seen.filter(({ taskIds }) => taskIds.every((id) => taken.has(id)));
  await Promise.all(emptied.map(({ clear }) => clear())).catch((error: unknown) =>
    log.warn('work hint not cleared', { reason: String(error) }),
  );
}

/** How far into a queue is looked: so far that each counter shard may have what is taken, within 10 read units or so. */
export const widthOf = (room: number): number => Math.min(room * SHARDS, 240);

/**
 * The oldest of what waits. From the second attempt on (another scanner was faster) tasks are taken from a random place
 * among the first, so that many scanners do not run after the same one. While very much waits, its order among the
 * first is given up for tasks of one counter shard, any one: scanners that poll at once then rarely meet on a row.
 */
export async function pick(
  owner: Table,
  found: readonly QueuedTask[],
  { room, attempt }: Pick<Search, 'room' | 'attempt'>,
): Promise<Found> {
  const waiting = found.filter(isOpen).sort((a, b) => (a.sk < b.sk ? -1 : 1));
  const chosen = waiting.length < widthOf(room) ? oldest(waiting, room, attempt) : ofOneShard(waiting, room);
  const tasks: ScannerTask[] = await owner.findMany(
    scannerTasks,
    chosen.map(({ taskId }) => taskId),
  );
  const windows = new Map(
    chosen.flatMap(({ taskId, until }) => (until === undefined ? [] : [[taskId, until] as const])),
  );
  const more = found.length > chosen.length;
  return { owner, tasks: tasks.filter(({ status }) => status === 'pending'), windows, more, seen: [] };
}

function oldest(waiting: readonly QueuedTask[], room: number, attempt: number): QueuedTask[] {
  const start = attempt === 1 ? 0 : Math.floor(random() * Math.max(1, waiting.length - room));
  return waiting.slice(start, start + room);
}

/** What one shard lacks is taken from those behind it. */
function ofOneShard(waiting: readonly QueuedTask[], room: number): QueuedTask[] {
  const first = Math.floor(random() * SHARDS);
  const turnOf = ({ taskId }: QueuedTask) => (ordinalOf(taskId) + first) % SHARDS;
  return waiting.toSorted((a, b) => turnOf(a) - turnOf(b)).slice(0, room);
}

/** The scheduler takes away what was not taken before its window closed, a moment later than it closed. */
const isOpen = ({ until }: QueuedTask): boolean => until === undefined || until > nowMs();
