import { revokeTokensOf } from '#shared/code/code-hosts/revoke.ts';
import { addTelling } from '#shared/code/code-scans/telling.ts';
import { type CodeBranch, codeBranches } from '#shared/code/repositories/code-branch.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import { judgedReports } from '#shared/ingest/judged.ts';
import { keptComparison } from '#shared/ingest/kept-comparison.ts';
import { isFinished, type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { isFinal } from '#shared/platform/runtime/state-machine.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { PolicyScan } from '#shared/scanning/scanner-tasks/code-scan.ts';
import { type ScannerTask, scannerTaskStates, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import type { Due } from './due.ts';

/**
 * Follows the end of a task or report of a branch's scan: revokes the clone tokens, and once all have ended, writes the
 * result of the policy to the branch.
 */
export async function endScan({ table, connections, timer, drop }: Due): Promise<void> {
  const task = await table.find(scannerTasks, timer.id, true);
  const branch = task?.codeScan && (await table.find(codeBranches, task.codeScan.branchId, true));
  const ended = branch && (await endedScan(table, branch, timer.id));
  if (branch && ended)
    await keepEnd({ connections, table }, { branch, scan: await judged({ table, connections }, ended) });
  if (task && isFinal(scannerTaskStates, task.status)) await revokeTokensOf({ connections, table }, task);
  await drop();
}

async function keepEnd(
  { connections, table }: Context,
  { branch, scan }: { branch: CodeBranch; scan: PolicyScan },
): Promise<void> {
  const batch = table.batch();
  batch.update(codeBranches, branch, table.changed<CodeBranch, never>(branch, { policyScan: scan }));
  const repository = await table.get(repositories, branch.repositoryId);
  const send = await addTelling(table, batch, { branch, repository, scan });
  await batch.commit();
  await send(connections);
}

type EndedScan = { scan: PolicyScan; tasks: ScannerTask[]; reports: TaskRow[] };

/** The branch's last scan by its policy, if the task belongs to it and nothing of it goes on. */
async function endedScan(table: Table, { policyScan }: CodeBranch, taskId: string): Promise<EndedScan | undefined> {
  if (!policyScan || policyScan.finishedAt !== null || !policyScan.taskIds.includes(taskId)) return undefined;
  const tasks = await table.findMany(scannerTasks, policyScan.taskIds, true);
  if (!tasks.every(({ status }) => isFinal(scannerTaskStates, status))) return undefined;
  const ids = tasks.flatMap(({ ingestTaskIds }) => ingestTaskIds);
  const reports = await table.rows(taskRows).findMany(
    ids.map((id) => ({ id })),
    true,
  );
  return reports.every(isFinished) ? { scan: policyScan, tasks, reports } : undefined;
}

async function judged(context: Context, { scan, tasks, reports }: EndedScan): Promise<PolicyScan> {
  const { table, connections } = context;
  const kept = await Promise.all(reports.map(({ id }) => keptComparison(connections.bucket, table, id)));
  const { comparison, reasons } = await judgedReports(
    context,
    scan,
    kept.flatMap((one) => one ?? []),
  );
  const problems = [...unscanned(tasks), ...unread(reports), ...reasons];
  const gate = scan.failOn === 'none' ? null : { passed: problems.length === 0, reasons: problems };
  return { ...scan, finishedAt: now(), comparison: reports.length > 0 ? comparison : null, gate };
}

/** A gate cannot pass a scan that did not come to its end. */
const unscanned = (tasks: readonly ScannerTask[]): string[] =>
  tasks.flatMap(({ type, status, error }) =>
    status === 'completed' ? [] : [`The ${type} scan ${status}${error ? `: ${error.message}` : ''}`],
  );

const unread = (reports: readonly TaskRow[]): string[] =>
  reports.flatMap(({ status, error }) =>
    status === 'succeeded' ? [] : [`A report could not be read: ${error?.message ?? status}`],
  );
