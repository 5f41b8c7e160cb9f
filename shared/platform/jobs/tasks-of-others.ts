import { inSeconds } from '../runtime/clock.ts';
import type { Write } from '../table/io/commit.ts';
import { defineRow, putWrite } from '../table/io/row.ts';
import { inOrganization, type Table } from '../table/table.ts';
import { TASK_KEPT_SECONDS, type TaskRow } from './task.ts';

/**
 * A task that a provider's machine or staff queued in the organization of a client, for example to read a report. The
 * row is in their own organization and lets them read that one task of the client. No request can name the client.
 */
type CausedTask = { machineId: string; taskId: string; organizationId: string; expiresAt: string };

export const causedTasks = defineRow<CausedTask, Pick<CausedTask, 'machineId' | 'taskId'>>({
  name: 'caused-task',
  about: "a task that a provider's machine queued for a client, so that the machine may read it",
  key: ({ machineId, taskId }) => [machineId, taskId],
  expiresAt: ({ expiresAt }) => expiresAt,
});

/** The writes for the transaction that queues a task in `table`; none when `table` is the caller's own organization. */
export const causedTaskWrites = (caller: Table, table: Table, { id: taskId, owner: machineId }: TaskRow): Write[] => {
  const { organizationId } = table;
  if (organizationId === caller.organizationId) return [];
  const expiresAt = inSeconds(TASK_KEPT_SECONDS);
  return [putWrite(caller.tenant, causedTasks, { row: { machineId, taskId, organizationId, expiresAt } })];
};

/** The client for which the caller queued the task; undefined when there is none. */
export async function organizationOfCausedTask(table: Table, taskId: string): Promise<Table | undefined> {
  const row = await table.rows(causedTasks).find({ machineId: table.actor.id, taskId }, true);
  return row && inOrganization(table, row.organizationId);
}
