import { log } from '#shared/platform/runtime/log.ts';
import { random } from '#shared/platform/runtime/random.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { clearHint, hintOf, type QueuedTask, readQueue, type WorkHint } from '../scanner-tasks/queue.ts';

/** A queue whose tasks were all seen; `clear` removes its hint, so that other machines no longer look there. */
type SeenQueue = { taskIds: string[]; clear: () => Promise<void> };

/** Tasks to hand out, all of one organization, and whether more wait. */
export type Found<T> = { owner: Table; tasks: readonly T[]; more: boolean; seen: readonly SeenQueue[] };

export const nothing = (owner: Table, more = false): Found<never> => ({ owner, tasks: [], more, seen: [] });

type HintedQueues = { queues: readonly string[]; hint: WorkHint | undefined; width: number };

/** The first tasks of each queue where something may wait. An empty queue loses its hint. */
export async function readHinted(table: Table, { queues, hint, width }: HintedQueues) {
  const found = await Promise.all(
    queues.map(async (queue) => {
      const clear = () => clearHint(table, queue, hintOf(hint, queue));
      const rows = await readQueue(table, queue, width);
      if (rows.length === 0) await clear();
      return { rows, clear };
    }),
  );
  const seen = found.flatMap(({ rows, clear }) => seenQueue(rows, { width, clear }));
  return { waiting: found.flatMap(({ rows }) => rows), seen };
}

type Look = { width: number; clear: () => Promise<void> };

/** The queue, if these rows are all of it. */
export const seenQueue = (rows: readonly QueuedTask[], { width, clear }: Look): SeenQueue[] =>
  rows.length > 0 && rows.length < width ? [{ taskIds: rows.map(({ taskId }) => taskId), clear }] : [];

/**
 * The first in the order of the queue. From the second attempt on (another machine was faster) from a random place among
 * the first, so that many machines do not run after the same task.
 */
export function firstOf(
  rows: readonly QueuedTask[],
  { room, attempt }: { room: number; attempt: number },
): QueuedTask[] {
  const waiting = rows.toSorted((a, b) => (a.sk < b.sk ? -1 : 1));
  const start = attempt === 1 ? 0 : Math.floor(random() * Math.max(1, waiting.length - room));
  return waiting.slice(start, start + room);
}

/** Removes the hints of queues whose last tasks were taken. If that fails, the next machine finds the queue empty. */
export async function clearEmptied({ tasks, seen }: Pick<Found<{ id: string }>, 'tasks' | 'seen'>): Promise<void> {
  const taken = new Set(tasks.map(({ id }) => id));
  const emptied = seen.filter(({ taskIds }) => taskIds.every((id) => taken.has(id)));
  await Promise.all(emptied.map(({ clear }) => clear())).catch((error: unknown) =>
    log.warn('work hint not cleared', { reason: String(error) }),
  );
}
