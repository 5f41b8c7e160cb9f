import { ApiError } from '#shared/platform/runtime/errors.ts';
import { isFinal } from '#shared/platform/runtime/state-machine.ts';
import { batchOfMany } from '#shared/platform/table/many.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { settleEngagement } from '#shared/scanning/engagement-tasks/settle.ts';
import { cancelTask } from '#shared/scanning/fleet/cancel-task.ts';
import { finish } from '#shared/scanning/scanner-tasks/moves.ts';
import { TaskTaken } from '#shared/scanning/scanner-tasks/queue.ts';
import { type ScannerTask, scannerTaskStates, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';

const PAGE = 500;
/** Pages of one message, so that no invocation nears its time limit. */
const PAGES = 6;

/**
 * Cancels scanner tasks of an engagement from a position of their list: waiting tasks at once, running tasks with the
 * next poll of their scanner. Positions stay: no task is removed, and none is added after the engagement's end.
 * @returns the next position, and the number of tasks
 */
export async function cancelAll(table: Table, engagementId: string, from: number) {
  let next = from;
  let total = from + 1;
  for (let page = 0; page < PAGES && next < total; page++) {
    const parent = { engagement: engagementId };
    const answer = await table.list(scannerTasks, { paginateFrom: next, paginateSize: PAGE, parent });
    await cancelPage(table, answer.data);
    next += PAGE;
    total = answer.totalCount;
  }
  if (next >= total) await settleEngagement(table, engagementId);
  return { next, total };
}

async function cancelPage(table: Table, tasks: readonly ScannerTask[]): Promise<void> {
  const waiting = tasks.filter(({ status }) => status === 'pending');
  for (let left: readonly ScannerTask[] = waiting; left.length > 0; ) left = await cancelWaiting(table, left);
  for (const task of tasks) if (task.status === 'running') await cancelOne(table, task.id);
}

/**
 * Cancels tasks in one transaction, or one by one when a scanner has taken one of them. @returns the remaining tasks
 */
async function cancelWaiting(table: Table, tasks: readonly ScannerTask[]): Promise<readonly ScannerTask[]> {
  const { batch, some, left } = await batchOfMany(table.batch, tasks, (batch, some) => {
    for (const task of some) finish({ table, batch }, task, { verb: 'cancel' });
  });
  try {
    await batch.commit();
  } catch (error) {
    if (!(error instanceof TaskTaken || error instanceof ApiError)) throw error;
    for (const { id } of some) await cancelOne(table, id);
  }
  return left;
}

/** Cancels one task, if it has not ended. When others change it too often, the message comes again. */
async function cancelOne(table: Table, id: string): Promise<void> {
  try {
    await cancelTask(table, id, { settle: false });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'conflict')) throw error;
    const { status } = await table.get(scannerTasks, id, true);
    if (!isFinal(scannerTaskStates, status)) throw new Error(`task ${id} was not cancelled`, { cause: error });
  }
}
