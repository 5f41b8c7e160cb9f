import { retry } from '#shared/platform/runtime/retry.ts';
import { isFinal } from '#shared/platform/runtime/state-machine.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type ApexTask, apexTaskStates, apexTasks } from './apex-task.ts';
import { finish, hold, release } from './moves.ts';
import { taskTimer } from './run-timer.ts';
import { isHeldForWindow } from './window.ts';

/** A task of no campaign (`taskId`) that waits for another (`of`). The end of the other finds it by this row. */
type Dependent = { of: string; taskId: string };
export const dependents = defineRow<Dependent>({
  name: 'apex-dependent',
  about: 'a task outside any campaign that waits for another task',
  key: ({ of, taskId }) => [of, taskId],
});

/** Notes the dependencies of a task. Finishing a dependency releases the task; the timer repeats a broken release. */
export const dependentWrites = (table: Table, { id, dependsOn }: Pick<ApexTask, 'id' | 'dependsOn'>): Write[] => [
  ...[...new Set(dependsOn)].map((of) => putWrite(table.tenant, dependents, { row: { of, taskId: id } })),
  ...(dependsOn.length > 0 ? [taskTimer(table, { id })] : []),
];

type Readiness = 'ready' | 'approval' | 'dependencies' | 'lost';

/** Whether a task outside of campaigns may be leased, by the tasks that it depends on. */
export function readinessOf(
  task: Pick<ApexTask, 'approval' | 'approvedBy' | 'dependsOn'>,
  statuses: ReadonlyMap<string, ApexTask['status']>,
): Readiness {
  const current = task.dependsOn.map((id) => statuses.get(id));
  if (current.some((status) => status === undefined || status === 'failed' || status === 'cancelled')) return 'lost';
  if (current.some((status) => status !== 'completed')) return 'dependencies';
  return task.approval === 'required' && task.approvedBy === null ? 'approval' : 'ready';
}

/** Reads consistently: the step that ends the last dependency must see that no other is open. */
export async function statusesOf(table: Table, ids: readonly string[]): Promise<Map<string, ApexTask['status']>> {
  const found = await Promise.all([...new Set(ids)].map((id) => table.find(apexTasks, id, true)));
  return new Map(found.flatMap((task) => (task ? [[task.id, task.status]] : [])));
}

/**
 * Releases a waiting task outside of campaigns when it is ready, or cancels it when it never can be. Harmless to
 * repeat.
 */
export const settleStandalone = (table: Table, id: string): Promise<ApexTask | undefined> =>
  retry(async () => {
    const task = await table.find(apexTasks, id, true);
    if (!task || task.runId !== null || task.status !== 'pending' || task.released) return undefined;
    const readiness = readinessOf(task, await statusesOf(table, task.dependsOn));
    if (readiness === 'ready' && (await isHeldForWindow(table, [task]))) return undefined;
    const batch = table.batch();
    const step = { table, batch };
    const error = { code: 'dependency_failed', message: 'A task on which this task depends was not completed.' };
    const ended = readiness === 'lost' ? finish(step, task, { verb: 'cancel', error }) : undefined;
    if (readiness === 'ready') await release(step, [task]);
    else if (readiness !== 'lost' && readiness !== task.waitingReason) hold(step, task, readiness);
    await batch.commit();
    return ended;
  });

/** The pending tasks outside of campaigns that depend on this task. */
export async function waitingFor(table: Table, id: string): Promise<ApexTask[]> {
  const rows = await table.rows(dependents).query(id);
  const tasks = await Promise.all(rows.map(({ taskId }) => table.find(apexTasks, taskId, true)));
  return tasks.flatMap((task) => (task?.status === 'pending' && task.dependsOn.includes(id) ? [task] : []));
}

/** Releases or cancels the tasks that waited for this task, and then the tasks that waited for a cancelled one. */
export async function releaseDependents(table: Table, task: ApexTask): Promise<void> {
  if (!isFinal(apexTaskStates, task.status)) return;
  const ended = [task.id];
  for (let id = ended.pop(); id !== undefined; id = ended.pop())
    for (const { taskId } of await table.rows(dependents).query(id)) {
      const lost = await settleStandalone(table, taskId);
      if (lost) ended.push(lost.id);
    }
}

/** Repeats, for the sweeper, a release that broke off after a dependency's end or an approval. */
export async function repairStandalone(table: Table, id: string): Promise<void> {
  const ended = await settleStandalone(table, id);
  if (ended) return releaseDependents(table, ended);
  const task = await table.find(apexTasks, id, true);
  if (task?.status !== 'pending' || task.waitingReason !== 'dependencies') return;
  await table.write(taskTimer(table, task));
}
