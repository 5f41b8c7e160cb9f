import { completeAsAppliance } from '#functions/apex/apex-communication/complete.ts';
import { pollAsAppliance } from '#functions/apex/apex-communication/poll.ts';
import { makeRun } from '#functions/workers/apex/make-run.ts';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { apexTasks } from '#shared/apex/apex-task.ts';
import { settleTasks } from '#shared/apex/settle.ts';
import { cancelTask } from '#shared/apex/stop.ts';
import { type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { stopClock } from './scanning-world.ts';

/** Appliances of one organization, what each believes that it holds, and what was accepted as completed. */
type Appliances = Context & { holds: { id: string; tasks: Set<string> }[]; completed: string[] };

/** The steps of appliances and of time; with others in the same list, for a random order. */
export const APPLIANCE_STEPS = ['poll', 'poll', 'poll', 'complete', 'complete', 'fail', 'pass', 'sweep'] as const;
type Kind = (typeof APPLIANCE_STEPS)[number];

export const isApplianceStep = (kind: string): kind is Kind => APPLIANCE_STEPS.some((known) => known === kind);

type Clock = ReturnType<typeof stopClock>;

export async function actAsAppliance(world: Appliances, clock: Clock, { kind, who }: { kind: Kind; who: number }) {
  const { table, connections, holds, completed } = world;
  const me = holds[who] ?? { id: '', tasks: new Set<string>() };
  const [held] = me.tasks;
  if (kind === 'pass') clock.pass(400);
  else if (kind === 'sweep') await sweep(connections);
  else if (kind === 'poll') {
    const running = [...me.tasks].map((taskId) => ({ taskId, progress: 0.5 }));
    const { tasks, lost } = await pollAsAppliance(table, { machineId: me.id, body: { capacity: 2, running } });
    for (const { id } of tasks) me.tasks.add(id);
    for (const id of lost) me.tasks.delete(id);
  } else if (held) {
    const outcome = kind === 'complete' ? 'completed' : 'failed';
    me.tasks.delete(held); // an appliance says one thing of a task
    const { results } = await completeAsAppliance({ connections, table, machineId: me.id }, [
      { taskId: held, outcome },
    ]);
    if (results[0]?.accepted && kind === 'complete') completed.push(held);
  }
}

/** An operator cancels the task at this place of the list. */
export async function cancelTaskAt(table: Table, place: number): Promise<void> {
  const { data } = await table.list(apexTasks, { paginateFrom: place, paginateSize: 1 });
  if (data[0]) await settleTasks(table, [await cancelTask(table, data[0].id)]);
}

/** The worker's handling of the message of a run. */
export async function workRun({ connections, table }: Context, taskId: string): Promise<void> {
  const task = (await table.rows(taskRows).find({ id: taskId }, true)) as TaskRow;
  await makeRun({ table, task, connections }, String(task.input.runId));
}
