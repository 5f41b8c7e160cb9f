import { isDeepStrictEqual } from 'node:util';
import { now } from '#shared/platform/runtime/clock.ts';
import { nextState } from '#shared/platform/runtime/state-machine.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { dequeueRow, enqueueRows, type PendingRow } from '#shared/scanning/scanner-tasks/queue.ts';
import type { ApexTaskListItem } from './apex-task.ts';
import { type ApexTask, type ApexTaskVerb, type apexTaskDetail, apexTaskStates, apexTasks } from './apex-task.ts';
import { enqueuePublic, publicQueue } from './public.ts';

type Step = { table: Table; batch: Batch };
type Detail = (typeof apexTaskDetail)[number];
/** The appliances that may take a task: one appliance, all of a zone, or any. */
type ApplianceQueue = { applianceId: string } | { zone: string } | 'any';

const queueSuffix = (place: ApplianceQueue): string => {
  if (place === 'any') return '';
  return 'zone' in place ? `=${place.zone}` : `@${place.applianceId}`;
};

/** The name of the queue in which tasks of a type wait for these appliances. */
export const apexQueue = (type: string, place: ApplianceQueue): string => `apex|${type}|${queueSuffix(place)}`;

const applianceQueueOf = ({ applianceId, zone }: ApexTaskListItem): ApplianceQueue => {
  if (applianceId !== null) return { applianceId };
  return zone === null ? 'any' : { zone };
};

const queueRow = (scope: string, task: ApexTaskListItem): PendingRow => ({
  queue: task.usePublicApex ? publicQueue(scope, task.type) : apexQueue(task.type, applianceQueueOf(task)),
  taskId: task.id,
  order: String(9 - task.priority),
});

const change = ({ table, batch }: Step, task: ApexTaskListItem, changes: Partial<ApexTask>): ApexTask =>
  batch.update<ApexTask, Detail>(apexTasks, task, table.changed<ApexTask, Detail>(task, changes));

const stateAfter = (task: ApexTaskListItem, verb: ApexTaskVerb) =>
  nextState(apexTaskStates, { state: task.status, verb, name: 'Apex task', offers: ['cancel'] });

const dequeue = ({ table, batch }: Step, task: ApexTaskListItem): void => {
  if (task.status !== 'pending' || !task.released) return;
  batch.write(dequeueRow(task.usePublicApex ? GLOBAL_SCOPE : table.tenant, queueRow(table.tenant, task)));
};

/** Queues tasks for the organization's own appliances, or for all public ones. */
async function enqueue({ table, batch }: Step, tasks: readonly ApexTaskListItem[]): Promise<void> {
  const rowsOf = (some: readonly ApexTaskListItem[]) => some.map((task) => queueRow(table.tenant, task));
  const shared = tasks.filter(({ usePublicApex }) => usePublicApex);
  batch.write(...enqueueRows(table.tenant, rowsOf(tasks.filter((task) => !shared.includes(task)))));
  if (shared.length > 0) batch.write(...(await enqueuePublic(table, shared, rowsOf(shared))));
}

/** Releases waiting tasks into their queues. */
export async function release(step: Step, tasks: readonly ApexTaskListItem[]): Promise<void> {
  const released = tasks.map((task) => change(step, task, { released: true, waitingReason: null }));
  await enqueue(step, released);
}

/** Changes a pending task; its queue row follows. */
export async function changePending(step: Step, task: ApexTask, changes: Partial<ApexTask>): Promise<ApexTask> {
  const changed = change(step, task, changes);
  const [from, to] = [task, changed].map((one) => (one.released ? queueRow(step.table.tenant, one) : undefined));
  if (isDeepStrictEqual(from, to)) return changed;
  dequeue(step, task);
  if (to) await enqueue(step, [changed]);
  return changed;
}

/** Takes a task out of its queue, or renews the reason why it is in none. */
export function hold(step: Step, task: ApexTaskListItem, waitingReason: ApexTask['waitingReason']): void {
  dequeue(step, task);
  change(step, task, { released: false, waitingReason });
}

/** Leases a waiting task to an appliance. The caller counts it (`publicUsage`), now and when it ends or returns. */
export function lease(
  step: Step,
  task: ApexTask,
  { leaseExpiresAt, ...to }: Pick<ApexTask, 'appliance' | 'providerId' | 'exclusions'> & { leaseExpiresAt: string },
): ApexTask {
  dequeue(step, task);
  return change(step, task, {
    status: stateAfter(task, 'lease'),
    attempt: task.attempt + 1,
    released: false,
    ...to,
    leaseExpiresAt,
    progress: { fraction: 0 },
    startedAt: now(),
    error: null,
  });
}

/** Ends a task that its appliance reported, or that a person cancelled. */
export function finish(
  step: Step,
  task: ApexTaskListItem,
  { verb, ...changes }: { verb: 'complete' | 'fail' | 'cancel' } & Partial<ApexTask>,
): ApexTask {
  const status = stateAfter(task, verb);
  dequeue(step, task);
  const ended = { status, finishedAt: now(), leaseExpiresAt: null, released: false, waitingReason: null };
  return change(step, task, { ...changes, ...ended });
}

type Return = { error: { code: string; message: string }; usageOf: (task: ApexTask) => ApexTask['usage'] };

/**
 * Takes unfinished tasks from an appliance. They wait again while attempts are left; tasks of a campaign wait until
 * `settleRun` releases them. A task with a requested cancellation is cancelled.
 */
export async function giveBack(
  step: Step,
  tasks: readonly ApexTask[],
  { error, usageOf }: Return,
): Promise<ApexTask[]> {
  const moved = tasks.map((task) => giveBackOne(step, task, { error, usage: usageOf(task) }));
  // together: a transaction may raise the work hint of an organization only once
  await enqueue(
    step,
    moved.filter(({ released }) => released),
  );
  return moved;
}

type ReturnOne = { error: Return['error']; usage: ApexTask['usage'] };

function giveBackOne(step: Step, task: ApexTask, { error, usage }: ReturnOne): ApexTask {
  if (task.cancelRequestedAt) return finish(step, task, { usage, verb: 'cancel' });
  if (task.attempt >= task.maxAttempts) return finish(step, task, { usage, verb: 'fail', error });
  const status = stateAfter(task, 'give back');
  const nobody = { appliance: null, providerId: null, leaseExpiresAt: null, progress: null, startedAt: null };
  return change(step, task, { usage, ...nobody, status, released: task.runId === null, error });
}
