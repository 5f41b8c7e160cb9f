import { nowMs } from '#shared/clock.ts';
import { type ScannerTask, scannerTasks } from '#shared/entities/scanner-task.ts';
import { clearHint, hintOf, type PendingRow, pendingRows, type WorkHint } from '#shared/scanning/queue.ts';
import { queryRows } from '#shared/table/read.ts';
import { rowKey } from '#shared/table/row.ts';
import type { Table } from '#shared/table/table.ts';

type Search = { queues: readonly string[]; hint: WorkHint | undefined; room: number; attempt: number };

/**
 * Tasks that wait in these queues, oldest first. From the second attempt on (another scanner was faster) they are taken
 * from a random place among the first, so that many scanners do not run after the same task.
 * `more`: something waits beyond what is given here.
 */
export async function findWork(table: Table, { queues, hint, room, attempt }: Search) {
  const hinted = queues.filter((queue) => hintOf(hint, queue) !== undefined);
  if (hinted.length === 0 || room === 0)
    return { tasks: [], windows: new Map<string, number>(), more: hinted.length > 0 };
  const width = attempt === 1 ? room + 1 : room * 4 + 16;
  const found = await Promise.all(hinted.map((queue) => readQueue(table, queue, { width, seen: hintOf(hint, queue) })));
  const waiting = found
    .flat()
    .filter(isOpen)
    .sort((a, b) => (a.sk < b.sk ? -1 : 1));
  const start = attempt === 1 ? 0 : Math.floor(Math.random() * Math.max(1, waiting.length - room));
  const chosen = waiting.slice(start, start + room);
  const tasks: ScannerTask[] = await table.findMany(
    scannerTasks,
    chosen.map(({ taskId }) => taskId),
  );
  const windows = new Map(
    chosen.flatMap(({ taskId, until }) => (until === undefined ? [] : [[taskId, until] as const])),
  );
  const isLeft = waiting.length > chosen.length || waiting.length < found.flat().length;
  return { tasks: tasks.filter(({ status }) => status === 'pending'), windows, more: isLeft };
}

type Waiting = { sk: string; taskId: string; until?: number };

/** The scheduler takes away what was not taken before its window closed, a moment later than it closed. */
const isOpen = ({ until }: Waiting): boolean => until === undefined || until > nowMs();

/** Consistent, for an empty answer takes the hint away. */
async function readQueue(
  table: Table,
  queue: string,
  { width, seen }: { width: number; seen: unknown },
): Promise<Waiting[]> {
  const anyRow: PendingRow = { queue, taskId: '00000000-0000-7000-8000-000000000000' };
  const { pk } = rowKey(table.scope, pendingRows, anyRow);
  const rows = await queryRows(table.dynamo, { pk, all: true, limit: width, consistent: true });
  if (rows.length === 0) await clearHint(table, queue, seen);
  return rows.map(({ sk, taskId, until }) => ({
    sk,
    taskId: String(taskId),
    ...(until !== undefined && { until: Number(until) }),
  }));
}
