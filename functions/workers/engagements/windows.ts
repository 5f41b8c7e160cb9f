import * as z from 'zod';
import { sendTask, taskRows } from '#shared/platform/jobs/task.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { batchOfMany } from '#shared/platform/table/many.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Engagement, engagements } from '#shared/scanning/engagements/engagement.ts';
import {
  closeWrite,
  offerWrites,
  TaskTaken,
  type WindowedRow,
  windowedRows,
} from '#shared/scanning/scanner-tasks/queue.ts';
import {
  isWindowed,
  type ScannerTask,
  scannerTasks,
  type WindowedTask,
} from '#shared/scanning/scanner-tasks/scanner-task.ts';
import type { Window } from '#shared/scanning/schedule/engagement-schedule.ts';
import { openUntil } from '#shared/scanning/schedule/windows.ts';

/** Waiting tasks that are read together. */
const READ_AT_ONCE = 30;
/** Tasks and time of one message. The next message does the rest, so that no invocation nears its time limit. */
const SLICE = 3000;
const SLICE_MS = 20_000;

const Input = z.object({ engagementId: z.uuid() });
/** The last row that was moved, and the number of moved tasks. */
const Checkpoint = z
  .object({ after: z.string().default(''), followed: z.int().default(0) })
  .default({ after: '', followed: 0 });

/** Moves the waiting tasks of an engagement after a window has opened or closed. */
export async function openWindows(work: Work, slice = SLICE): Promise<Record<string, unknown> | undefined> {
  const { engagementId } = Input.parse(work.task.input);
  const followed = await moveWaitingTasks(work, engagementId, slice);
  return followed === undefined ? undefined : { engagementId, scannerTasks: followed };
}

/**
 * Queues waiting tasks while a window is open, and removes them from their queues when no window is open: one slice per
 * message. A repeated or late message is harmless: each transaction decides again, and removes only rows whose window
 * has closed. Tasks never start outside a window even without this job, because each queue row has its end.
 * @returns the number of moved tasks; undefined while some are left
 */
export async function moveWaitingTasks(work: Work, engagementId: string, slice = SLICE): Promise<number | undefined> {
  const { table, task, connections } = work;
  const { after, followed } = Checkpoint.parse(task.checkpoint);
  const engagement = await table.find(engagements, engagementId, true);
  if (!engagement || engagement.windows.length === 0) return followed;
  // a space after a key sorts behind that key and before all others
  const between = { from: `${after} `, to: '~' };
  const rows = await table.rows(windowedRows).query(engagementId, { between, limit: slice, consistent: true });
  const count = await moveRows(table, engagement, rows);
  const last = rows[count - 1];
  if (!last || (count === rows.length && count < slice)) return followed + count;
  const checkpoint = { ...task.checkpoint, after: windowedRows.key(last)[1], followed: followed + count };
  await table.rows(taskRows).set({ id: task.id }, { checkpoint });
  await sendTask(connections, table, task);
  return undefined;
}

/** @returns the number of rows for which there was time */
async function moveRows(table: Table, { windows }: Engagement, rows: readonly WindowedRow[]): Promise<number> {
  const end = nowMs() + SLICE_MS;
  let count = 0;
  for (const some of chunksOf(rows, READ_AT_ONCE)) {
    if (nowMs() >= end) break;
    await moveAll(table, windows, some);
    count += some.length;
  }
  return count;
}

async function moveAll(table: Table, windows: readonly Window[], rows: readonly WindowedRow[]): Promise<void> {
  const ids = rows.map(({ taskId }) => taskId);
  // consistent: a task that was made just now would otherwise wait for the next window
  const tasks: ScannerTask[] = await table.findMany(scannerTasks, ids, true);
  const waiting = tasks.filter(isWindowed).filter(({ status }) => status === 'pending');
  for (let left: readonly WindowedTask[] = waiting; left.length > 0; ) left = await moveSome(table, windows, left);
}

/**
 * Moves as many tasks as fit into a transaction. A task that a scanner took stays with the scanner. @returns the
 * remaining tasks
 */
async function moveSome(
  table: Table,
  windows: readonly Window[],
  tasks: readonly WindowedTask[],
): Promise<readonly WindowedTask[]> {
  const until = openUntil(windows, nowMs());
  const { batch, some, left } = await batchOfMany(table.batch, tasks, (batch, some) => {
    if (until === undefined) batch.write(...some.map((task) => closeWrite(table.tenant, task)));
    else batch.write(...offerWrites(table.tenant, some, new Date(until).toISOString()));
  });
  try {
    await batch.commit();
  } catch (error) {
    if (!(error instanceof TaskTaken)) throw error;
    // a scanner took one of the tasks: move the others one by one
    if (some.length > 1) for (const task of some) await moveSome(table, windows, [task]);
  }
  return left;
}
