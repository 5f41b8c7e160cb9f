import { type ApexTask, apexTaskStates, apexTasks } from '#shared/apex/apex-task.ts';
import { changePending } from '#shared/apex/moves.ts';
import { taskTimer } from '#shared/apex/run-timer.ts';
import { settleRun, settleTasks } from '#shared/apex/settle.ts';
import { settleStandalone } from '#shared/apex/standalone.ts';
import { cancelTask, tellAppliance } from '#shared/apex/stop.ts';
import { assertVersion } from '#shared/platform/http/records.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { isFinal } from '#shared/platform/runtime/state-machine.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { holderOf } from '#shared/scanning/scanner-tasks/shared-lease.ts';
import { showTask } from './show.ts';

/** The body of a decision, and the `If-Match` header with the version that the caller read. */
type DecisionRequest<B extends object = object> = { body: B; ifMatch: string | undefined };

type Approval = DecisionRequest<{ reason?: string | undefined }>;

const wordsOf = ({ actor }: Table, { reason }: Approval['body']): string =>
  reason === undefined ? `by ${actor.name}` : `by ${actor.name}: ${reason}`;

/** Approves a task that waits for approval. @throws conflict when the task has ended, and for another version */
export async function approveTask(table: Table, id: string, read: Approval): Promise<ApexTask> {
  const task = await retry(() => approveNow(table, id, read));
  if (task.status === 'running') await tell(table, task, { type: 'approve', reason: wordsOf(table, read.body) });
  else if (task.runId !== null) await settleRun(table, task.runId);
  else await settleStandalone(table, id);
  return showTask(table, await table.get(apexTasks, id, true));
}

async function approveNow(table: Table, id: string, { body, ifMatch }: Approval): Promise<ApexTask> {
  const task = await table.get(apexTasks, id, true);
  assertVersion(task, body, ifMatch);
  assertUndecided(task, 'approve');
  if (task.status === 'running' || task.approvedBy !== null) return task;
  const { id: by, name } = table.actor;
  const batch = table.batch();
  const approved = await changePending({ table, batch }, task, {
    approvedBy: { id: by, name, reason: body.reason ?? null },
  });
  // the timer repeats the release, in case the next step breaks off
  if (task.runId === null) batch.write(taskTimer(table, task));
  await batch.commit();
  return approved;
}

/** Cancels a task that waits for approval. @throws conflict when it needs none or has ended, and for another version */
export async function denyTask(table: Table, id: string, { body, ifMatch }: DecisionRequest<{ reason: string }>) {
  const allow = (task: ApexTask): void => {
    assertVersion(task, body, ifMatch);
    assertUndecided(task, 'deny');
    if (task.status === 'pending' && task.approvedBy !== null)
      throw conflict('This task is approved already: cancel it instead.');
  };
  const task = await table.get(apexTasks, id, true);
  allow(task);
  if (task.status === 'running') {
    await tell(table, task, { type: 'deny', reason: body.reason });
    return showTask(table, task);
  }
  const denied = await cancelTask(table, id, { error: { code: 'denied', message: body.reason }, allow });
  await settleTasks(table, [denied]);
  return showTask(table, denied);
}

function assertUndecided(task: ApexTask, verb: 'approve' | 'deny'): void {
  const what = `This Apex task is ${task.status}: it cannot ${verb}`;
  if (isFinal(apexTaskStates, task.status)) throw conflict(`${what}; it is final.`);
  if (task.status === 'pending' && task.approval === 'none') throw conflict(`${what}; it needs no approval.`);
}

const tell = async (table: Table, task: ApexTask, command: { type: 'approve' | 'deny'; reason: string }) =>
  task.appliance && tellAppliance(holderOf(table, task), task.appliance.id, { ...command, taskId: task.id });
