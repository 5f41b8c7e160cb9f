import { scannerTasks } from '../entities/scanner-task.ts';
import type { Table } from '../table/table.ts';

/** How many tasks of a group or pool an organization has. */
export async function tasksOf(table: Table, groupId: string, consistent = false) {
  const { pending = 0, running = 0 } = await table.tally(scannerTasks, 'group', groupId, consistent);
  return { pending, running };
}
