import type { Table } from '#shared/platform/table/table.ts';
import { settleQuietly } from '../engagement-tasks/settle.ts';
import { cancelLeasable } from '../leases/cancel.ts';
import type { ScannerTask } from '../scanner-tasks/scanner-task.ts';
import { type ScannerTypes, scannerLeases } from './leases.ts';

/**
 * @param settle false: the caller settles the engagement, once for many tasks
 * @throws not_found, conflict when the task has ended
 */
export async function cancelTask(table: Table, id: string, { settle = true } = {}): Promise<ScannerTask> {
  const task = await cancelLeasable<ScannerTypes>(scannerLeases, table, { id });
  if (settle && task.status === 'cancelled' && task.engagementId !== null)
    await settleQuietly(table, task.engagementId);
  return task;
}
