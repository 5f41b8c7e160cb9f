import * as z from 'zod';
import { ownerByLease } from '#shared/dispatch/shared-lease.ts';
import { settleIfOver } from '#shared/engagements/settle.ts';
import { TaskResult } from '#shared/entities/scanner.ts';
import { type ScannerTask, scannerTasks } from '#shared/entities/scanner-task.ts';
import { acceptReport } from '#shared/ingest/accept.ts';
import { type TaskRow, taskRows } from '#shared/jobs/task.ts';
import { LEASE_SECONDS } from '#shared/machines/leases.ts';
import { nowMs } from '#shared/runtime/clock.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { ApiError, invalid } from '#shared/runtime/errors.ts';
import { newId } from '#shared/runtime/ids.ts';
import { retry } from '#shared/runtime/retry.ts';
import { finish, giveBack } from '#shared/scanner-tasks/moves.ts';
import { offerReturned } from '#shared/scanner-tasks/offer-returned.ts';
import type { Presence } from '#shared/scanners/presence.ts';
import { readPresence, savePresence } from '#shared/scanners/session.ts';
import type { Batch } from '#shared/table/batch.ts';
import { putWrite } from '#shared/table/io/row.ts';
import type { Table } from '#shared/table/table.ts';
import { type CompletionOf, completionId, completionRow, findCompletion, isLeaseSafe } from './completion.ts';
import type { CompletedTaskAnswer } from './routes.ts';
import { contentOf, scanOf, siblingsOf } from './submission.ts';

type Completing = { connections: Connections; table: Table; scannerId: string };
/** Engagements of which tasks have ended, to be settled once, with the tables of their organizations. */
type Ended = Map<string, Table>;
/** `left` is the presence as the last result left it, for one look: whoever finds that it has changed reads it anew. */
type Each = Completing & { ended: Ended; left: { presence?: Presence } };
/** `table` is the scanner's organization, `owner` that of the task; `before` is there if the scanner holds the task. */
type Claim = { owner: Table; task: ScannerTask; before?: Presence };

/** Takes the results of a scanner, each by itself. */
export async function completeTasks(at: Completing, results: readonly unknown[] | undefined) {
  if (!results) throw invalid('results', 'is required: the tasks that ended');
  const answers: CompletedTaskAnswer[] = [];
  const each: Each = { ...at, ended: new Map(), left: {} };
  try {
    for (const result of results) answers.push(await completeOne(each, result));
  } finally {
    await Promise.all([...each.ended].map(([engagementId, owner]) => settleIfOver(owner, engagementId)));
  }
  const taskId = answers.find(({ ingestTaskIds = [] }) => ingestTaskIds.length > 0)?.ingestTaskIds?.[0];
  return { taskId: taskId ?? (await noteAnswers(at, answers)), status: 'queued' as const, results: answers };
}

/** Nothing is being read, so the answer names a task that is finished already. */
async function noteAnswers({ table }: Completing, answers: CompletedTaskAnswer[]): Promise<string> {
  const id = newId();
  await table
    .rows(taskRows)
    .put(completionRow(table, id, { accepted: answers.filter((item) => item.accepted).length }));
  return id;
}

/** An error of one result is its answer and loses none of the others. */
async function completeOne(at: Each, raw: unknown): Promise<CompletedTaskAnswer> {
  const parsed = TaskResult.safeParse(raw);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'invalid' };
    const named = typeof raw === 'object' && raw !== null ? Reflect.get(raw, 'taskId') : undefined;
    return refused(typeof named === 'string' ? named : '', 'validation_failed', `${path.join('.')}: ${message}`);
  }
  try {
    return await take(at, await claim(at, parsed.data.taskId), parsed.data);
  } catch (error) {
    if (error instanceof ApiError) return refused(parsed.data.taskId, error.code, error.message);
    throw error;
  }
}

const refused = (taskId: string, code: string, message: string): CompletedTaskAnswer => ({
  taskId,
  accepted: false,
  code,
  message,
});

/** The task, and the presence of the caller if it holds it: by the stored lease, never by the report. */
async function look({ table, scannerId, left }: Each, taskId: string): Promise<Claim> {
  const { presence } = left;
  delete left.presence;
  const before = presence?.leases[taskId] ? presence : await readPresence(table, scannerId);
  const lease = before?.leases[taskId];
  const owner = await ownerByLease(table, { machineId: scannerId, taskId }, lease);
  const task = await owner.get(scannerTasks, taskId, true);
  const isHeld = lease !== undefined && task.status === 'running' && task.scanner?.id === scannerId;
  return { owner, task, ...(isHeld && { before }) };
}

/** The same, and a lease that is about to end is renewed. */
const claim = (at: Each, taskId: string): Promise<Claim> =>
  retry(async () => {
    const found = await look(at, taskId);
    const { before } = found;
    const lease = before?.leases[taskId];
    if (!before || !lease || isLeaseSafe(lease.until)) return found;
    const renewed = { ...lease, until: nowMs() + LEASE_SECONDS * 1000 };
    const after = { ...before, leases: { ...before.leases, [taskId]: renewed } };
    return { ...found, before: await savePresence(at.table, { before, after }) };
  });

/** A result that was sent before is answered as it was; any other that the caller does not hold is refused. */
async function answerUnheld({ ended, scannerId }: Each, { owner, task }: Claim): Promise<CompletedTaskAnswer> {
  const earlier = await findCompletion(owner, task, scannerId);
  if (!earlier) return refused(task.id, 'not_held', 'You do not hold this task (any more): drop its result.');
  ended.set(task.engagementId, owner);
  return answerOf(task.id, earlier);
}

/** The errors of a report that would be the same if it were sent again: the attempt has failed. */
const LASTING: readonly string[] = ['unsupported_format', 'payload_too_large', 'validation_failed'];

type Taken = z.infer<typeof Taken>;
const Taken = z.object({
  ingestTaskIds: z.array(z.string()).default([]),
  refusal: z.object({ code: z.string(), message: z.string() }).optional(),
});

const answerOf = (taskId: string, row: TaskRow): CompletedTaskAnswer => {
  const { ingestTaskIds, refusal } = Taken.parse(row.result ?? {});
  return refusal ? refused(taskId, refusal.code, refusal.message) : { taskId, accepted: true, ingestTaskIds };
};

async function take(at: Each, claimed: Claim, result: TaskResult): Promise<CompletedTaskAnswer> {
  const { owner, task, before } = claimed;
  if (!before) return answerUnheld(at, claimed);
  const completion = { taskId: task.id, scannerId: at.scannerId, attempt: task.attempt };
  const taken = await takeReports(at, { owner, task, result, completion });
  // what was read for the claim serves the first try: the writes hold only if it still stands
  return retry(async (attempt) => {
    const found = attempt === 1 ? claimed : await look(at, task.id);
    return record(at, found, { result, completion, taken });
  });
}

type Reporting = { owner: Table; task: ScannerTask; result: TaskResult; completion: CompletionOf };

/**
 * Hands the reports to the ingest, under ids that follow from the attempt: whatever stops between this and the record
 * of the completion, the scanner sends the result again and queues nothing twice.
 */
async function takeReports({ connections, table }: Completing, reporting: Reporting): Promise<Taken> {
  const { owner, task, result, completion } = reporting;
  const ingestTaskIds: string[] = [];
  const scan = scanOf(task, result);
  try {
    for (const [n, report] of result.reports.entries()) {
      const taskId = completionId(completion, n);
      const siblings = siblingsOf(result.reports, n).map((other) => completionId(completion, other));
      const of = { taskId, siblings, caller: table };
      await acceptReport(connections, owner, { ...scan, format: report.format, report: contentOf(report), ...of });
      ingestTaskIds.push(taskId);
    }
  } catch (error) {
    if (!(error instanceof ApiError && LASTING.includes(error.code))) throw error;
    return { ingestTaskIds, refusal: { code: error.code, message: error.message } };
  }
  return { ingestTaskIds };
}

type Recording = { result: TaskResult; completion: CompletionOf; taken: Taken };

/** The end of the task, of the lease and the memory of both, all or nothing. */
async function record(at: Each, found: Claim, { result, completion, taken }: Recording): Promise<CompletedTaskAnswer> {
  const { owner, task, before } = found;
  if (!before) return answerUnheld(at, found);
  const { table, ended, left } = at;
  const batch = table.batch();
  const moved = end({ table: owner, batch: batch.within(owner.scope) }, task, { result, taken });
  const row = completionRow(owner, completionId(completion), taken);
  batch.write(putWrite(owner.scope, taskRows, { row, expect: 'absent' }));
  const { [task.id]: _ended, ...leases } = before.leases;
  left.presence = await savePresence(table, { before, after: { ...before, leases }, batch });
  ended.set(task.engagementId, owner);
  await offerReturned(owner, moved);
  return answerOf(task.id, row);
}

/** A scan that was done is done, also when someone wanted it cancelled meanwhile; one that was not is tried again. */
function end(
  step: { table: Table; batch: Batch },
  task: ScannerTask,
  { result, taken }: Omit<Recording, 'completion'>,
) {
  const { ingestTaskIds, refusal } = taken;
  if (refusal) return giveBack(step, [task], refusal);
  const { outcome, error } = result;
  if (outcome === 'completed')
    return [
      finish(step, task, { verb: 'complete', progress: 1, ingestTaskIds, ingestTaskId: ingestTaskIds[0] ?? null }),
    ];
  const told = { failed: 'The scanner could not do it.', cancelled: 'The scanner stopped it.' };
  return giveBack(step, [task], error ?? { code: `scan_${outcome}`, message: told[outcome] });
}
