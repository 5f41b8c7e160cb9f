import * as z from 'zod';
import { usageOf } from '#shared/apex/budget.ts';
import { keepFiles } from '#shared/apex/files.ts';
import { finish, giveBack } from '#shared/apex/moves.ts';
import { apexPresences, readApexPresence, saveApexPresence } from '#shared/apex/presence.ts';
import { publicUsage } from '#shared/apex/public.ts';
import { settleTasks } from '#shared/apex/settle.ts';
import { ownerByLease } from '#shared/dispatch/shared-lease.ts';
import { type ApexTask, apexTasks } from '#shared/entities/apex-task.ts';
import { taskRows } from '#shared/jobs/task.ts';
import { LEASE_SECONDS } from '#shared/machines/leases.ts';
import { nowMs } from '#shared/runtime/clock.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { ApiError } from '#shared/runtime/errors.ts';
import { newId } from '#shared/runtime/ids.ts';
import { retry } from '#shared/runtime/retry.ts';
import type { Batch } from '#shared/table/batch.ts';
import { putWrite } from '#shared/table/io/row.ts';
import type { Table } from '#shared/table/table.ts';
import { answerRow, type CompletionOf, completionId, findCompletion } from './completion.ts';
import { takeReports } from './reports.ts';
import { ApexTaskOutcome, type CompletedTaskAnswer } from './routes.ts';

export type Completing = { connections: Connections; table: Table; applianceId: string };
/** `table` is the appliance's organization, `owner` that of the task. */
export type Owned = Completing & { owner: Table };

/** Takes the results of an appliance, each by itself. */
export async function completeTasks(at: Completing, results: readonly unknown[]) {
  const answers: CompletedTaskAnswer[] = [];
  for (const result of results) answers.push(await completeOne(at, result));
  const taskId = answers.find(({ ingestTaskIds = [] }) => ingestTaskIds.length > 0)?.ingestTaskIds?.[0];
  return { taskId: taskId ?? (await noteAnswers(at, answers)), status: 'queued' as const, results: answers };
}

const OPERATION = 'complete_apex_task';

/** Nothing is being read, so the answer names a task that is finished already. */
async function noteAnswers({ table }: Completing, answers: CompletedTaskAnswer[]): Promise<string> {
  const id = newId();
  const result = { accepted: answers.filter((item) => item.accepted).length };
  await table.rows(taskRows).put(answerRow(table, { id, operation: OPERATION, result }));
  return id;
}

/** An error of one result is its answer and loses none of the others. */
async function completeOne(at: Completing, raw: unknown): Promise<CompletedTaskAnswer> {
  const parsed = ApexTaskOutcome.safeParse(raw);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'invalid' };
    const named = typeof raw === 'object' && raw !== null ? Reflect.get(raw, 'taskId') : undefined;
    return refused(typeof named === 'string' ? named : '', 'validation_failed', `${path.join('.')}: ${message}`);
  }
  const result = parsed.data;
  try {
    if (tooLarge(result.output)) return refused(result.taskId, 'payload_too_large', 'output: is over 64 KB');
    const by = { ...at, owner: await ownerOfTask(at, result.taskId) };
    const { task, held } = await claim(by, result.taskId);
    return held ? await take(by, task, result) : await answerUnheld(by, task);
  } catch (error) {
    if (error instanceof ApiError) return refused(result.taskId, error.code, error.message);
    throw error;
  }
}

const MAX_OUTPUT_BYTES = 64 * 1024;
const tooLarge = (output: unknown): boolean =>
  output !== undefined && Buffer.byteLength(JSON.stringify(output)) > MAX_OUTPUT_BYTES;

const refused = (taskId: string, code: string, message: string): CompletedTaskAnswer => ({
  taskId,
  accepted: false,
  code,
  message,
});

/** By the lease that the appliance holds or held, never by the report. */
async function ownerOfTask({ table, applianceId }: Completing, taskId: string): Promise<Table> {
  const presence = await table.rows(apexPresences).find({ machineId: applianceId }, true);
  return ownerByLease(table, { machineId: applianceId, taskId }, presence?.leases[taskId]);
}

/** A lease that ends sooner is renewed before reports are taken, so that it cannot end in between. */
const SAFE_MS = 120_000;

/** The task, and whether the caller holds it: by the stored lease, never by the report. */
const claim = ({ table, owner, applianceId }: Owned, taskId: string) =>
  retry(async () => {
    const [task, before] = await Promise.all([
      owner.get(apexTasks, taskId, true),
      readApexPresence(table, applianceId),
    ]);
    const lease = before?.leases[taskId];
    if (!before || !lease || task.status !== 'running' || task.appliance?.id !== applianceId)
      return { task, held: false };
    if (lease.until > nowMs() + SAFE_MS) return { task, held: true };
    const renewed = { ...lease, until: nowMs() + LEASE_SECONDS * 1000 };
    await saveApexPresence(table, { before, after: { ...before, leases: { ...before.leases, [taskId]: renewed } } });
    return { task, held: true };
  });

/** A result that was sent before is answered as it was; any other that the caller does not hold is refused. */
async function answerUnheld(
  { owner, applianceId }: Pick<Owned, 'owner' | 'applianceId'>,
  task: ApexTask,
): Promise<CompletedTaskAnswer> {
  const earlier = await findCompletion(owner, task, applianceId);
  if (!earlier) return refused(task.id, 'not_held', 'You do not hold this task (any more): drop its result.');
  await settleTasks(owner, [task]);
  return answerOf(task.id, Taken.parse(earlier.result ?? {}));
}

const Taken = z.object({
  ingestTaskIds: z.array(z.string()).default([]),
  refusal: z.object({ code: z.string(), message: z.string() }).optional(),
});
type Taken = z.infer<typeof Taken>;

const answerOf = (taskId: string, { ingestTaskIds, refusal }: Taken): CompletedTaskAnswer =>
  refusal ? refused(taskId, refusal.code, refusal.message) : { taskId, accepted: true, ingestTaskIds };

async function take(at: Owned, task: ApexTask, result: ApexTaskOutcome): Promise<CompletedTaskAnswer> {
  await keepArtifacts(at, task, result);
  const completion = { taskId: task.id, applianceId: at.applianceId, attempt: task.attempt };
  const taken = await takeReports(at, { task, reports: result.reports, idOf: (n) => completionId(completion, n) });
  const { answer, ended } = await retry(() => record(at, { result, completion, taken }));
  if (ended) await settleTasks(at.owner, [ended]);
  return answer;
}

/** @throws not_found, conflict, upload_incomplete, payload_too_large: nothing is taken then, and it may be sent again */
async function keepArtifacts(at: Owned, { id }: ApexTask, { outcome, artifacts }: ApexTaskOutcome): Promise<void> {
  const ids = outcome === 'completed' ? artifacts.map(({ uploadId }) => uploadId) : [];
  const [refused] = await keepFiles(at, id, ids);
  if (refused) throw new ApiError(refused[1].code, `artifacts: ${refused[1].message}`);
}

type Recording = { result: ApexTaskOutcome; completion: CompletionOf; taken: Taken };
type Recorded = { answer: CompletedTaskAnswer; ended?: ApexTask };

/** The end of the task, of the lease and the memory of both, all or nothing. */
async function record({ table, owner, applianceId }: Owned, recording: Recording): Promise<Recorded> {
  const { completion, taken } = recording;
  const [task, before] = await Promise.all([
    owner.get(apexTasks, completion.taskId, true),
    readApexPresence(table, applianceId),
  ]);
  if (!before?.leases[task.id] || task.status !== 'running' || task.appliance?.id !== applianceId)
    return { answer: await answerUnheld({ owner, applianceId }, task) };
  const batch = table.batch();
  const usage = await usageAfter(owner, task, recording.result);
  const ended = end({ table: owner, batch: batch.within(owner.scope) }, { ...recording, task, usage });
  batch.write(...publicUsage(owner, [task], -1));
  const row = answerRow(owner, { id: completionId(completion), operation: OPERATION, result: taken });
  batch.write(putWrite(owner.scope, taskRows, { row, expect: 'absent' }));
  const { [task.id]: _ended, ...leases } = before.leases;
  await saveApexPresence(table, { before, after: { ...before, leases }, batch });
  return { answer: answerOf(task.id, taken), ended };
}

/** What the service's own completions used; of an appliance that brings its own model, what it says. */
async function usageAfter(table: Table, task: ApexTask, { usage }: ApexTaskOutcome): Promise<ApexTask['usage']> {
  const metered = await usageOf(table, { taskId: task.id });
  return metered.calls > 0 || !usage ? metered : { ...metered, ...usage };
}

type Ending = Recording & { task: ApexTask; usage: ApexTask['usage'] };

/** Work that was done is done, also when someone wanted it cancelled meanwhile; what was not is tried again. */
function end(step: { table: Table; batch: Batch }, { task, result, taken, usage }: Ending): ApexTask {
  const { ingestTaskIds, refusal } = taken;
  if (refusal) return giveBack(step, task, { error: refusal, usage });
  const { outcome, error, summary = null, output = null, artifacts } = result;
  if (outcome === 'completed')
    return finish(step, task, {
      verb: 'complete',
      progress: { fraction: 1 },
      ingestTaskIds: [...task.ingestTaskIds, ...ingestTaskIds].slice(-10),
      result: { summary, output, artifacts },
      usage,
    });
  const told = { failed: 'The appliance could not do it.', cancelled: 'The appliance stopped it.' };
  return giveBack(step, task, { error: error ?? { code: `task_${outcome}`, message: told[outcome] }, usage });
}
