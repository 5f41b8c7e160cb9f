import { nowMs } from '#shared/clock.ts';
import { type ScannerTask, scannerTasks } from '#shared/entities/scanner-task.ts';
import { clearHint, hintOf, readQueue, type Waiting, type WorkHint } from '#shared/scanning/queue.ts';
import type { Table } from '#shared/table/table.ts';

export type Search = { queues: readonly string[]; hint: WorkHint | undefined; room: number; attempt: number };

/** Tasks to hand out, whose they are, and whether something waits beyond them. */
export type Found = {
  owner: Table;
  tasks: ScannerTask[];
  /** Until when each may be taken, of those with a window. */
  windows: ReadonlyMap<string, number>;
  more: boolean;
};

export const nothing = (owner: Table, more = false): Found => ({ owner, tasks: [], windows: new Map(), more });

/** Tasks that wait in these queues, oldest first. */
export async function findWork(table: Table, { queues, hint, room, attempt }: Search): Promise<Found> {
  const hinted = queues.filter((queue) => hintOf(hint, queue) !== undefined);
  if (hinted.length === 0 || room === 0) return nothing(table, hinted.length > 0);
  const width = widthOf(room, attempt);
  const found = await Promise.all(
    hinted.map(async (queue) => {
      const rows = await readQueue(table, queue, width);
      if (rows.length === 0) await clearHint(table, queue, hintOf(hint, queue));
      return rows;
    }),
  );
  return pick(table, found.flat(), { room, attempt });
}

/** How far into a queue is looked: beyond what is taken, to tell whether more waits and to keep out of others' way. */
export const widthOf = (room: number, attempt: number): number => (attempt === 1 ? room + 1 : room * 4 + 16);

/**
 * The oldest of what waits. From the second attempt on (another scanner was faster) tasks are taken from a random place
 * among the first, so that many scanners do not run after the same one.
 */
export async function pick(
  owner: Table,
  found: readonly Waiting[],
  { room, attempt }: Pick<Search, 'room' | 'attempt'>,
): Promise<Found> {
  const waiting = found.filter(isOpen).sort((a, b) => (a.sk < b.sk ? -1 : 1));
  const start = attempt === 1 ? 0 : Math.floor(Math.random() * Math.max(1, waiting.length - room));
  const chosen = waiting.slice(start, start + room);
  const tasks: ScannerTask[] = await owner.findMany(
    scannerTasks,
    chosen.map(({ taskId }) => taskId),
  );
  const windows = new Map(
    chosen.flatMap(({ taskId, until }) => (until === undefined ? [] : [[taskId, until] as const])),
  );
  const more = found.length > chosen.length;
  return { owner, tasks: tasks.filter(({ status }) => status === 'pending'), windows, more };
}

/** The scheduler takes away what was not taken before its window closed, a moment later than it closed. */
const isOpen = ({ until }: Waiting): boolean => until === undefined || until > nowMs();
