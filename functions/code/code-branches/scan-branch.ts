import { addScan } from '#shared/code/code-scans/add-scan.ts';
import { scanProblem } from '#shared/code/code-scans/may-scan.ts';
import type { CodeBranch } from '#shared/code/repositories/code-branch.ts';
import type { Repository } from '#shared/code/repositories/repository.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { doneTask, newTaskWrites, type QueuedResponse, queued, type TaskRow } from '#shared/platform/jobs/task.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { ScannerTask } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import type { codeBranchRoutes } from './routes.ts';

type Scanned = { repository: Repository; branch: CodeBranch };
type Request = Pick<Call<typeof codeBranchRoutes.scanCodehostABranch>, 'table' | 'body'>;

/** Makes the scanner tasks of a branch's commit, or names those that have not ended. @throws conflict, limit_exceeded */
export async function scanBranch({ table, body }: Request, { repository, branch }: Scanned): Promise<QueuedResponse> {
  const problem = scanProblem({ repository, branch });
  if (problem) throw conflict(problem);
  const { commit = branch.headCommit, taskTypes, depth } = body;
  return retry(async () => {
    const batch = table.batch();
    const cause = { cause: 'request' as const, pullRequest: null, base: null };
    const tasks = await addScan(table, batch, { repository, branch, commit, taskTypes, depth, ...cause });
    const answer = answerOf(table, commit, tasks);
    batch.write(...newTaskWrites(table, answer));
    await batch.commit();
    return queued(answer);
  }, isConflict);
}

/** The answer is a task that has ended: its result names the scanner tasks, which show the progress. */
function answerOf(table: Table, commit: string | null, tasks: readonly ScannerTask[]): TaskRow {
  const result = { commit, scannerTasks: tasks.map(({ id, type }) => ({ id, type })) };
  const resource = { type: 'scanner_task', id: tasks[0]?.id ?? '' };
  const about = { operation: 'scan_branch', job: 'engagements', unit: 'scanner tasks' } as const;
  return doneTask(table.actor, { ...about, resource, result });
}
