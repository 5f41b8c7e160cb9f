import type * as z from 'zod';
import type { Operation } from '#shared/platform/jobs/operations.ts';
import { newTaskWrites } from '#shared/platform/jobs/task.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { readMachinePresence } from '../machines/machines.ts';
import { savePresence } from '../machines/save-presence.ts';
import { ownerByLease } from '../scanner-tasks/shared-lease.ts';
import { Accepted } from './accepted.ts';
import { type CompletedTaskAnswer, type CompletedTasksAnswer, parseItem } from './answers.ts';
import { answerRow, type Completion, completionId, findCompletion, noteAnswer } from './completion.ts';
import { LEASE_SECONDS, withLease, withoutLeases } from './lease.ts';
import { type Failure, isHeldBy, type LeaseRules, type LeaseTypes, type Step, type TokenCount } from './rules.ts';

/** `table` is the machine's organization, `owner` is the task's. */
export type Caller = Context & { machineId: string };
export type TaskCaller = Caller & { owner: Table };

type TaskResult = {
  taskId: string;
  outcome: 'completed' | 'failed' | 'cancelled';
  error?: Failure;
  usage?: TokenCount;
};

type CompletionTypes = LeaseTypes & { result: TaskResult };

/** The rules for completions by one kind of machine. */
export type CompletionRules<K extends CompletionTypes> = LeaseRules<K> & {
  operation: Operation;
  result: z.ZodType<K['result']>;
  /**
   * Takes the reports and files of a result before its task ends. The ids of its queued tasks come from `idOf`.
   * @throws ApiError for a result that may be sent again: nothing of it is recorded then
   */
  accept: (caller: TaskCaller, result: ResultOf<K> & { idOf: (report: number) => string }) => Promise<Accepted>;
  finish: (step: Step, result: ResultOf<K> & { accepted: Accepted }) => Promise<K['task']>;
  /** The errors of a task whose machine reports none. */
  unfinished: Record<'failed' | 'cancelled', Failure>;
};

type ResultOf<K extends CompletionTypes> = { task: K['task']; result: K['result'] };

/** One request: tasks to settle at its end, and the presence after its last result, which saves a read. */
type Request<K extends CompletionTypes> = Caller & {
  rules: CompletionRules<K>;
  ended: { owner: Table; task: K['task'] }[];
  left: { presence?: K['presence'] };
};
/** A task and its owner; with the presence of the caller if the caller holds the task. */
type Claim<K extends CompletionTypes> = { owner: Table; task: K['task']; before?: K['presence'] };

/** Takes the results of a machine, each result separately. */
export async function completeTasks<K extends CompletionTypes>(
  rules: CompletionRules<K>,
  caller: Caller,
  results: readonly unknown[],
): Promise<CompletedTasksAnswer> {
  const answers: CompletedTaskAnswer[] = [];
  const request: Request<K> = { ...caller, rules, ended: [], left: {} };
  try {
    for (const result of results) answers.push(await completeOne(request, result));
  } finally {
    await settleEnded(request);
  }
  const taskId = answers.find(({ ingestTaskIds = [] }) => ingestTaskIds.length > 0)?.ingestTaskIds?.[0];
  const accepted = answers.filter((answer) => answer.accepted).length;
  return {
    taskId: taskId ?? (await noteAnswer(caller.table, rules.operation, accepted)),
    status: 'queued',
    results: answers,
  };
}

async function settleEnded<K extends CompletionTypes>({ rules, ended }: Request<K>): Promise<void> {
  for (const some of Map.groupBy(ended, ({ owner }) => owner.organizationId).values()) {
    const [first] = some;
    const tasks = some.map(({ task }) => task);
    if (first) await rules.settle(first.owner, tasks);
  }
}

/** An error of one result is its answer and loses none of the others. */
async function completeOne<K extends CompletionTypes>(request: Request<K>, raw: unknown): Promise<CompletedTaskAnswer> {
  const parsed = parseItem(request.rules.result, raw, 'taskId');
  if ('badId' in parsed) return refused(parsed.badId, { code: 'validation_failed', message: parsed.message });
  const result = parsed.item;
  try {
    return await complete(request, await claim(request, result.taskId), result);
  } catch (error) {
    if (error instanceof ApiError) return refused(result.taskId, error);
    throw error;
  }
}

const refused = (taskId: string, { code, message }: Failure): CompletedTaskAnswer => ({
  taskId,
  accepted: false,
  code,
  message,
});

const answerOf = (taskId: string, { ingestTaskIds, refusal }: Accepted): CompletedTaskAnswer =>
  refusal ? refused(taskId, refusal) : { taskId, accepted: true, ingestTaskIds };

/** The task, and whether the caller holds it: by the stored lease, never by the result. */
async function readClaim<K extends CompletionTypes>(request: Request<K>, taskId: string): Promise<Claim<K>> {
  const { rules, table, machineId, left } = request;
  const { presence } = left;
  delete left.presence;
  const before = presence?.leases[taskId] ? presence : await readMachinePresence(rules.machines, table, machineId);
  const lease = before?.leases[taskId];
  const owner = await ownerByLease(table, { machineId, taskId }, lease);
  const task = await owner.get(rules.tasks, taskId, true);
  return { owner, task, ...(lease && isHeldBy(rules, task, machineId) && { before }) };
}

/** A lease that ends sooner is renewed before reports are taken, so that it cannot end in between. */
const SAFE_MS = 120_000;

const claim = <K extends CompletionTypes>(request: Request<K>, taskId: string): Promise<Claim<K>> =>
  retry(async () => {
    const claimed = await readClaim(request, taskId);
    const { before } = claimed;
    const until = before?.leases[taskId]?.until ?? Number.POSITIVE_INFINITY;
    if (!before || until > nowMs() + SAFE_MS) return claimed;
    const after = withLease(before, taskId, { until: nowMs() + LEASE_SECONDS * 1000 });
    return { ...claimed, before: await savePresence(request.rules.machines, request.table, { before, after }) };
  });

/**
 * A repeated result gets the same answer again; any other result for a task that the caller does not hold is refused.
 * The result of a later attempt does not repeat an earlier attempt's result.
 */
async function answerUnheld<K extends CompletionTypes>(
  { machineId, ended }: Request<K>,
  { owner, task }: Claim<K>,
  { outcome }: K['result'],
): Promise<CompletedTaskAnswer> {
  const earlier = await findCompletion(owner, { taskId: task.id, machineId, attempt: task.attempt }, outcome);
  const message = 'You do not hold this task (any more): drop its result.';
  if (!earlier) return refused(task.id, { code: 'not_held', message });
  ended.push({ owner, task });
  return answerOf(task.id, Accepted.parse(earlier.result ?? {}));
}

async function complete<K extends CompletionTypes>(
  request: Request<K>,
  claimed: Claim<K>,
  result: K['result'],
): Promise<CompletedTaskAnswer> {
  const { rules, connections, table, machineId } = request;
  const { owner, task, before } = claimed;
  if (!before) return answerUnheld(request, claimed, result);
  const completion = { taskId: task.id, machineId, attempt: task.attempt };
  const idOf = (report: number) => completionId(completion, report);
  const accepted = await rules.accept({ connections, table, machineId, owner }, { task, result, idOf });
  // the first try uses the reads of the claim: the writes fail if the claim has changed
  return retry(async (attempt) => {
    const found = attempt === 1 ? claimed : await readClaim(request, task.id);
    return record(request, found, { result, completion, accepted });
  });
}

type AttemptEnd<K extends CompletionTypes> = { result: K['result']; completion: Completion; accepted: Accepted };

/** Writes the end of the task and of the lease, and the memory of both, all or nothing. */
async function record<K extends CompletionTypes>(
  request: Request<K>,
  claimed: Claim<K>,
  { result, completion, accepted }: AttemptEnd<K>,
): Promise<CompletedTaskAnswer> {
  const { owner, task, before } = claimed;
  if (!before) return answerUnheld(request, claimed, result);
  const { rules, table, ended, left } = request;
  const batch = table.batch();
  const step = { table: owner, batch: batch.within(owner.tenant) };
  const moved = await end(rules, step, { task, result, accepted });
  const answer = { ...accepted, outcome: result.outcome };
  const row = answerRow(owner, { id: completionId(completion), operation: rules.operation, result: answer });
  batch.write(...newTaskWrites(owner, row));
  left.presence = await savePresence(rules.machines, table, { before, after: withoutLeases(before, [task.id]), batch });
  ended.push({ owner, task: moved });
  return answerOf(task.id, accepted);
}

/** Completed work counts, also when someone asked to cancel it meanwhile; uncompleted work is tried again. */
async function end<K extends CompletionTypes>(
  rules: CompletionRules<K>,
  step: Step,
  { task, result, accepted }: ResultOf<K> & { accepted: Accepted },
): Promise<K['task']> {
  const { outcome, usage } = result;
  if (outcome === 'completed' && !accepted.refusal) return rules.finish(step, { task, result, accepted });
  const unfinished = outcome === 'completed' ? undefined : (result.error ?? rules.unfinished[outcome]);
  const error = accepted.refusal ?? unfinished ?? rules.unfinished.failed;
  const [returned = task] = await rules.giveBack(step, [task], { error, usage });
  return returned;
}
