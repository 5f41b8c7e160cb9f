import { TaskTaken } from '#shared/dispatch/queue.ts';
import { settleEngagement } from '#shared/engagements/settle.ts';
import { type ScannerTask, scannerTaskStates, scannerTasks } from '#shared/entities/scanner-task.ts';
import { chunksOf } from '#shared/runtime/chunks.ts';
import { ApiError } from '#shared/runtime/errors.ts';
import { isFinal } from '#shared/runtime/state-machine.ts';
import { finish } from '#shared/scanner-tasks/moves.ts';
import { cancelTask } from '#shared/scanners/cancel-task.ts';
import type { Table } from '#shared/table/table.ts';

/** Waiting tasks that are cancelled in one transaction. */
const AT_ONCE = 6;
const PAGE = 500;
/** Pages that are worked at a time, so that no run nears its time limit. */
const PAGES = 6;

/**
 * Cancels scanner tasks of an engagement from a place of their list on: what waits at once, what runs at its scanner's
 * next poll. They are never removed, and none is added once the engagement has ended: places stay.
 * @returns the place to go on, and how many there are
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
  for (const some of chunksOf(waiting, AT_ONCE)) await cancelWaiting(table, some);
  for (const task of tasks) if (task.status === 'running') await cancelOne(table, task.id);
}

/** If a scanner was faster with one of them, each goes by itself. */
async function cancelWaiting(table: Table, tasks: readonly ScannerTask[]): Promise<void> {
  const batch = table.batch();
  for (const task of tasks) finish({ table, batch }, task, { verb: 'cancel' });
  try {
    await batch.commit();
  } catch (error) {
    if (!(error instanceof TaskTaken || error instanceof ApiError)) throw error;
    for (const { id } of tasks) await cancelOne(table, id);
  }
}

/** One that has ended meanwhile is left as it is; one that was only moving too fast has the message come again. */
async function cancelOne(table: Table, id: string): Promise<void> {
  try {
    await cancelTask(table, id, { settle: false });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'conflict')) throw error;
    const { status } = await table.get(scannerTasks, id, true);
    if (!isFinal(scannerTaskStates, status)) throw new Error(`task ${id} was not cancelled`, { cause: error });
  }
}
