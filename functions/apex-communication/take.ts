import { type ApexTask, apexTasks } from '#shared/entities/apex-task.ts';
import { clearHint, hintOf, type PendingRow, pendingRows, type WorkHint } from '#shared/scanning/queue.ts';
import { queryRows } from '#shared/table/read.ts';
import { rowKey } from '#shared/table/row.ts';
import type { Table } from '#shared/table/table.ts';

type Search = { queues: readonly string[]; hint: WorkHint | undefined; room: number; attempt: number };

/**
 * Tasks that wait in these queues, the most urgent first, then the oldest. From the second attempt on (another appliance
 * was faster) from a random place among the first. `more`: something waits beyond what is given here.
 */
export async function findWork(
  table: Table,
  { queues, hint, room, attempt }: Search,
): Promise<{ tasks: ApexTask[]; more: boolean }> {
  const hinted = queues.filter((queue) => hintOf(hint, queue) !== undefined);
  if (hinted.length === 0 || room === 0) return { tasks: [], more: hinted.length > 0 };
  const width = attempt === 1 ? room + 1 : room * 4 + 8;
  const found = await Promise.all(hinted.map((queue) => readQueue(table, queue, { width, seen: hintOf(hint, queue) })));
  const waiting = found.flat().sort((a, b) => (a.sk < b.sk ? -1 : 1));
  const start = attempt === 1 ? 0 : Math.floor(Math.random() * Math.max(1, waiting.length - room));
  const chosen = waiting.slice(start, start + room);
  const tasks = await Promise.all(chosen.map(({ taskId }) => table.find(apexTasks, taskId, true)));
  const pending = tasks.flatMap((task) => (task?.status === 'pending' && task.released ? [task] : []));
  return { tasks: pending, more: waiting.length > chosen.length };
}

type Waiting = { sk: string; taskId: string };

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
  return rows.map(({ sk, taskId }) => ({ sk, taskId: String(taskId) }));
}
