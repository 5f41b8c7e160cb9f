import { inSeconds } from '../runtime/clock.ts';
import type { Write } from '../table/io/commit.ts';
import { defineRow, putWrite } from '../table/io/row.ts';
import { inOrganization, type Table } from '../table/table.ts';
import { TASK_KEPT_SECONDS, type TaskRow } from './task.ts';

/**
 * A task that a machine caused in an organization for which it works (its results are read there). The row lies in the
 * machine's own organization; by it, never by a request, the machine reads that one task of the other's.
 */
type CausedTask = { machineId: string; taskId: string; organizationId: string; expiresAt: string };

export const causedTasks = defineRow<CausedTask, Pick<CausedTask, 'machineId' | 'taskId'>>({
  name: 'caused-task',
  about: 'a task that a machine caused in an organization for which it works, so that the machine may read it',
  key: ({ machineId, taskId }) => [machineId, taskId],
  expiresAt: ({ expiresAt }) => expiresAt,
});

/** For the transaction that queues a task in `table` which `caller` may read. Nothing, where that is its own organization. */
export const causedTaskWrites = (caller: Table, table: Table, { id: taskId, owner: machineId }: TaskRow): Write[] => {
  const { organizationId } = table;
  if (organizationId === caller.organizationId) return [];
  const expiresAt = inSeconds(TASK_KEPT_SECONDS);
  return [putWrite(caller.scope, causedTasks, { row: { machineId, taskId, organizationId, expiresAt } })];
};

/** The organization in which this machine caused a task; undefined where it caused none. */
export async function organizationOfCausedTask(table: Table, taskId: string): Promise<Table | undefined> {
  const row = await table.rows(causedTasks).find({ machineId: table.actor.id, taskId }, true);
  return row && inOrganization(table, row.organizationId);
}
