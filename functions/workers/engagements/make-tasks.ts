import * as z from 'zod';
import type { TaskType } from '#shared/assets/targets/scan-target.ts';
import { sendTask, type TaskRow, taskStep } from '#shared/platform/jobs/task.ts';
import { endsTask, type Work } from '#shared/platform/jobs/worker.ts';
import { giveUpPlace, usePlaces } from '#shared/platform/quotas/places.ts';
import { newIdAt } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { isFinal } from '#shared/platform/runtime/state-machine.ts';
import { batchOfMany } from '#shared/platform/table/many.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Engagement, engagementStates, engagements } from '#shared/scanning/engagements/engagement.ts';
import { groupChecks } from '#shared/scanning/fleet/group-counts.ts';
import { FITS, type ScanCredential, scanCredentials } from '#shared/scanning/scan-credentials/scan-credential.ts';
import { placementOf, type TaskPlacement } from '#shared/scanning/scanner-tasks/placement.ts';
import { takeTaskPlaces } from '#shared/scanning/scanner-tasks/places.ts';
import { type PlannedTask, planTasks } from '#shared/scanning/scanner-tasks/plan.ts';
import { enqueueWrites } from '#shared/scanning/scanner-tasks/queue.ts';
import { type ScannerTask, SHARDS, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { UNSTARTED } from '#shared/scanning/scanner-tasks/unstarted.ts';
import { cancelAll } from './cancel-tasks.ts';
import { endPreparing, failRun, launch } from './launch.ts';
import { assertMayRun } from './may-run.ts';
import { moveWaitingTasks } from './windows.ts';

/** Tasks of one transaction: with queue rows, search rows and counters they usually fit its 100 rows. */
const BATCH = 12;
/**
 * The most tasks that one message makes. The next message makes the rest, so that no invocation nears its time limit.
 */
const SLICE = 3000;

const Input = z.object({ engagementId: z.uuid() });
const Checkpoint = z.object({ made: z.int() }).default({ made: 0 });

/**
 * Makes the scanner tasks of a run. The plan is always the same, and the transaction of each batch records the
 * progress, so that a repeated message continues where the last one broke off.
 */
export async function makeTasks(work: Work): Promise<Record<string, unknown> | undefined> {
  try {
    return await makeSome(work);
  } catch (error) {
    if (endsTask(error)) await giveUpPlace(work.table, 'tasks', work.task.id);
    throw error;
  }
}

async function makeSome(work: Work): Promise<Record<string, unknown> | undefined> {
  const { table, task, connections } = work;
  const { engagementId } = Input.parse(task.input);
  const launched = await launch(table, engagementId, task.id);
  if ('waits' in launched) {
    await giveUpPlace(table, 'tasks', task.id);
    return { engagementId, scannerTasks: 0, ...launched.waits };
  }
  const { engagement } = launched;
  const plan = [...planTasks(engagement)];
  const { made } = Checkpoint.parse(task.checkpoint);
  const place = await begin(table, engagement, { taskId: task.id, made });
  const end = isFinal(engagementStates, engagement.status) ? made : Math.min(plan.length, made + SLICE);
  const last = await makeSlice({ table, engagement, task, place }, plan.slice(made, end), { made, total: plan.length });
  const isCancelled = isFinal(engagementStates, (await table.get(engagements, engagementId, true)).status);
  if (end < plan.length && !isCancelled) {
    await sendTask(connections, table, last);
    return undefined;
  }
  await giveUpPlace(table, 'tasks', task.id);
  await endPreparing(table, engagementId);
  // tasks that were made during the cancellation of the engagement
  if (isCancelled) await cancelAll(table, engagementId, 0);
  const followed = await moveWaitingTasks({ ...work, task: last }, engagementId);
  return followed === undefined ? undefined : { engagementId, scannerTasks: end };
}

type Begun = { taskId: string; made: number };

/**
 * Fails the run when its group or pool was removed, when it may not begin, or when its tasks are too many.
 * @throws conflict, validation_failed, limit_exceeded
 */
async function begin(table: Table, engagement: Engagement, begun: Begun) {
  try {
    await takePlaces(table, engagement, begun);
    return await placementsOf(table, engagement, { hasBegun: begun.made > 0 });
  } catch (error) {
    if (endsTask(error)) await failRun(table, engagement.id, error.message);
    throw error;
  }
}

/** A request takes them before (shared/scanning/scanner-tasks/places.ts); a later start and a redriven message do not. */
const takePlaces = (table: Table, engagement: Engagement, begun: Begun): Promise<void> =>
  retry(async () => {
    const batch = table.batch();
    await takeTaskPlaces(table, batch, { ...begun, engagement });
    await batch.commit();
  });

async function placementsOf(table: Table, engagement: Engagement, { hasBegun }: { hasBegun: boolean }) {
  const placement = placeChecked(table, engagement, hasBegun);
  const [placed, needed] = await Promise.all([placement, credentialsFor(table, engagement)]);
  return (planned: PlannedTask): Placed => ({ ...placed(planned), ...needed(planned.type) });
}

async function placeChecked(table: Table, engagement: Engagement, hasBegun: boolean) {
  if (!hasBegun) await assertMayRun(table, engagement);
  return placementOf(table, engagement, { hasBegun });
}

type PlannedRun = { table: Table; engagement: Engagement; task: TaskRow; place: (planned: PlannedTask) => Placed };
/** The placement of a task, and the credentials that its scanner may read. */
type Placed = TaskPlacement & Pick<ScannerTask, 'credentialIds'>;

/** Makes batches of one counter shard each, so that the rows of a transaction share their counters. */
async function makeSlice(run: PlannedRun, planned: PlannedTask[], progress: Progress) {
  let { task } = run;
  let { made } = progress;
  if (planned.length === 0) return task;
  const width = BATCH * SHARDS;
  const rounds = Math.ceil(planned.length / width);
  const first = await run.table.reserveOrdinals(scannerTasks, rounds * width + SHARDS);
  const aligned = Math.ceil(first / SHARDS) * SHARDS;
  for (let n = 0; n * BATCH < planned.length; n++) {
    const start = aligned + Math.floor(n / SHARDS) * width + (n % SHARDS);
    const chunk = planned.slice(n * BATCH, n * BATCH + BATCH);
    let left: readonly TaskToMake[] = chunk.map((one, k) => ({ planned: one, id: newIdAt(start + k * SHARDS) }));
    while (left.length > 0) ({ task, made, left } = await makeBatch({ ...run, task }, left, { ...progress, made }));
  }
  return task;
}

type TaskToMake = { planned: PlannedTask; id: string };
type Progress = { made: number; total: number };

/** Makes as many tasks as fit a transaction: many words, zones and types of targets make many rows. */
async function makeBatch(run: PlannedRun, tasks: readonly TaskToMake[], { made, total }: Progress) {
  const { table, engagement, task, place } = run;
  let next = task;
  const { batch, some, left } = await batchOfMany(table.batch, tasks, (batch, some) => {
    const created = some.map(({ planned, id }) =>
      batch.create(scannerTasks, newScannerTask(table, { planned, id, engagement, place: place(planned) })),
    );
    const done = made + some.length;
    const step = taskStep(table, task, { progress: { ...task.progress, done, total }, checkpoint: { made: done } });
    next = step.next;
    batch.write(...enqueueWrites(table.tenant, created), ...groupChecks(table.tenant, created), step.write);
    batch.write(usePlaces(table.tenant, { kind: 'tasks', id: task.id, amount: some.length }));
  });
  await batch.commit();
  return { task: next, made: made + some.length, left };
}

type NewTask = { planned: PlannedTask; id: string; engagement: Engagement; place: Placed };

function newScannerTask(
  table: Table,
  { planned: { type, target, exclusions }, id, engagement, place }: NewTask,
): ScannerTask {
  return table.stamp<ScannerTask>({
    id,
    type,
    target,
    ...(exclusions && { exclusions }),
    zone: target.zone,
    parameters: parametersOf(engagement, type),
    ...place,
    ...UNSTARTED,
    engagementId: engagement.id,
    runId: engagement.lastRun?.id ?? id,
    ...(engagement.windows.length > 0 && { windowed: true as const }),
  });
}

/** The credentials of an engagement that each type of task needs. */
async function credentialsFor(table: Table, { credentialIds }: Engagement) {
  const credentials: ScanCredential[] = await table.findMany(scanCredentials, credentialIds);
  return (type: TaskType): Pick<ScannerTask, 'credentialIds'> => {
    const needed = credentials.filter(({ kind }) => FITS[kind].includes(type)).map(({ id }) => id);
    return needed.length > 0 ? { credentialIds: needed } : {};
  };
}

/** The parameters of a task, with the intensity unless it is normal. */
const parametersOf = ({ intensity, parameters }: Engagement, type: TaskType) => ({
  ...(intensity !== 'normal' && { intensity }),
  ...parameters[type],
});
