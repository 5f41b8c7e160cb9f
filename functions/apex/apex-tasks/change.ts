import { apexCampaignRuns, runStates } from '#shared/apex/apex-campaign.ts';
import { ApexTask, type ApexTaskCreate, apexTasks, isExploiting } from '#shared/apex/apex-task.ts';
import { assertMayLower } from '#shared/apex/approval.ts';
import { removeFiles } from '#shared/apex/files.ts';
import { changePending } from '#shared/apex/moves.ts';
import { assertOpen, assertOwnAppliances, newApexTask, targetsWithin } from '#shared/apex/new-task.ts';
import { settleRun, settleTasks } from '#shared/apex/settle.ts';
import { dependentWrites, readinessOf, settleStandalone, statusesOf } from '#shared/apex/standalone.ts';
import { cancelTask } from '#shared/apex/stop.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import { admitRecords } from '#shared/platform/quotas/places.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { conflict, invalid } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { isFinal } from '#shared/platform/runtime/state-machine.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { assertNoCircle, assertNotWaitedFor, reorderWrite } from './dependencies.ts';
import { showTask } from './show.ts';

/** @throws validation_failed, conflict, not_found, limit_exceeded */
export async function createTask(table: Table, wanted: ApexTaskCreate): Promise<ApexTask> {
  const engagement = await table.get(engagements, wanted.engagementId, true);
  assertOpen(engagement, [wanted.type], 'type');
  const draft = newApexTask(engagement, wanted);
  const readiness = readinessOf(draft, await checkReferences(table, wanted));
  const [id = ''] = await table.reserve(apexTasks, 1);
  const waitingReason = readiness === 'ready' || readiness === 'lost' ? null : readiness;
  await retry(async () => {
    await table.create(apexTasks, { ...draft, id, waitingReason }, async (batch, task) => {
      batch.write(...dependentWrites(table, task));
      await admitRecords(table, batch, { kind: 'tasks', amount: 1 });
    });
  });
  // always: a dependency may have ended meanwhile
  await settleStandalone(table, id);
  return showTask(table, await table.get(apexTasks, id, true));
}

type References = Pick<ApexTaskCreate, 'applianceId' | 'dependsOn' | 'engagementId'>;

/** @returns the statuses of the tasks that it depends on */
async function checkReferences(table: Table, { applianceId, dependsOn, engagementId }: References) {
  if (applianceId !== null) await assertOwnAppliances(table, [applianceId], 'applianceId');
  const others = await table.findMany(apexTasks, dependsOn);
  for (const [n, id] of dependsOn.entries()) {
    const other = others.find((one) => one.id === id);
    if (!other || other.engagementId !== engagementId)
      throw invalid(`dependsOn.${n}`, 'must be a task of the same engagement');
    if (other.runId !== null) throw invalid(`dependsOn.${n}`, 'must be a task of no campaign');
  }
  const statuses = await statusesOf(table, dependsOn);
  const lost = dependsOn.findIndex((id) => ['failed', 'cancelled'].includes(statuses.get(id) ?? 'failed'));
  if (lost >= 0) throw conflict(`The task ${dependsOn[lost]} ended without completion: remove it from dependsOn.`);
  return statuses;
}

type Patch = { patch: object; ifMatch: string | undefined; caller: Caller };

/** @throws conflict once it runs, insufficient_scope */
export async function updateTask(table: Table, id: string, { patch, ifMatch, caller }: Patch): Promise<ApexTask> {
  await retry(async () => {
    const task = await table.get(apexTasks, id, true);
    const changes = mergePatch(ApexTask, await showTask(table, task), { patch, ifMatch });
    if (!changes) return;
    assertMayLower(caller, task.approval, changes.approval);
    if (task.status !== 'pending') throw conflict(`This task is ${task.status}: only pending tasks can be changed.`);
    const order = changes.dependsOn && (await reorderWrite(table, task.engagementId));
    await changeTask(table, task, { changes: await checkChanges(table, task, changes), order });
  });
  return showTask(table, await table.get(apexTasks, id, true));
}

async function checkChanges(table: Table, task: ApexTask, changes: Partial<ApexTask>): Promise<Partial<ApexTask>> {
  if (task.runId !== null && (changes.dependsOn || changes.approval))
    throw conflict('The campaign of this task decides its dependsOn and approval: change the campaign.');
  if (changes.applianceId && task.usePublicApex)
    throw conflict('The campaign of this task uses public appliances: leave applianceId out.');
  if (changes.approval === 'none' && isExploiting(task.type))
    throw invalid('approval', `must be required for ${task.type}`);
  if (changes.dependsOn) await assertNoCircle(table, task.id, changes.dependsOn);
  if (changes.dependsOn || changes.applianceId)
    await checkReferences(table, { ...task, ...changes, dependsOn: changes.dependsOn ?? [] });
  if (!changes.targets) return changes;
  const engagement = await table.get(engagements, task.engagementId, true);
  return { ...changes, targets: targetsWithin(engagement, changes.targets, 'targets') };
}

/** Fields that may change without a new approval. */
const KEEPS_APPROVAL = ['title', 'priority', 'dependsOn', 'approval'];

type TaskChange = { changes: Partial<ApexTask>; order: Write | undefined };

/** Changes a pending task, and then decides again whether it is released. */
async function changeTask(table: Table, task: ApexTask, { changes, order }: TaskChange): Promise<void> {
  const batch = table.batch();
  if (order) batch.write(order);
  const isUnapproved = task.approvedBy !== null && Object.keys(changes).some((name) => !KEEPS_APPROVAL.includes(name));
  const isRearranged = isUnapproved || changes.dependsOn !== undefined || changes.approval !== undefined;
  const held = isRearranged ? { released: false, waitingReason: 'dependencies' as const } : {};
  const asked = isUnapproved ? { approvedBy: null } : {};
  const changed = await changePending({ table, batch }, task, { ...changes, ...held, ...asked });
  if (changes.dependsOn) batch.write(...dependentWrites(table, changed));
  await batch.commit();
  if (isRearranged) await (task.runId === null ? settleStandalone(table, task.id) : settleRun(table, task.runId));
}

/** @throws conflict while the task or the run of its campaign goes on, or while another task waits for it */
export async function deleteTask(connections: Pick<Connections, 'bucket'>, table: Table, id: string) {
  const task = await table.get(apexTasks, id, true);
  if (task.status === 'running') throw conflict('This task is running: cancel it first.');
  const run = task.runId === null ? undefined : await table.find(apexCampaignRuns, task.runId, true);
  if (run && !isFinal(runStates, run.status))
    throw conflict('The run of its campaign is in progress: cancel the task, and delete it after the run.');
  await assertNotWaitedFor(table, task);
  if (task.status === 'pending') {
    const { status } = await cancelTask(table, id);
    if (status === 'running')
      throw conflict(
        'An appliance has just leased this task, and it is being cancelled: delete the task after its end.',
      );
  }
  const ended = await table.get(apexTasks, id, true);
  await settleTasks(table, [ended]);
  await removeFiles(connections, table, id);
  return table.delete(apexTasks, ended);
}
