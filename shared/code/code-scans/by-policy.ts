import { now } from '#shared/platform/runtime/clock.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { CodeScan, PolicyScan } from '#shared/scanning/scanner-tasks/code-scan.ts';
import { finish } from '#shared/scanning/scanner-tasks/moves.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { type CodeBranch, codeBranches } from '../repositories/code-branch.ts';
import { type Repository, repositories } from '../repositories/repository.ts';
import { addScan } from './add-scan.ts';
import { scanProblem } from './may-scan.ts';
import { addTelling } from './telling.ts';

type Pushed = { repository: Pick<Repository, 'scanPolicy' | 'defaultBranch'>; branch: CodeBranch };

/** Whether a policy scans each new head of a branch. */
export function scansPushes({ repository: { scanPolicy, defaultBranch }, branch }: Pushed): boolean {
  if (branch.scanOnPush !== null) return branch.scanOnPush;
  if (scanPolicy.onPush === 'default_branch') return branch.name === defaultBranch;
  return scanPolicy.onPush === 'protected_branches' && (branch.protectedHere ?? branch.protected);
}

type Cause = Pick<CodeScan, 'cause' | 'pullRequest'> & {
  branchId: string;
  /** The branch that a pull request would change. */
  base?: string;
  /** The former target branch, where the event reports a change of it. */
  formerBase?: string | undefined;
  /** The reported commit: it is scanned only while it is the head. Absent: the head. */
  commit?: string;
  /** Adds to the transaction. */
  also?: (batch: Batch, repository: Repository) => void;
};

/** `same`: this commit was scanned so before; `outdated`: another commit is the head; `refused`: it cannot be scanned now. */
export type PolicyOutcome = 'started' | 'same' | 'outdated' | 'refused' | 'over_limit';

/**
 * Scans the head of a branch by the policy of its repository. For each cause other than a schedule it scans a commit
 * once. Cancels waiting tasks of the branch's former head, unless a person requested them.
 */
export async function scanByPolicy(context: Context, cause: Cause): Promise<PolicyOutcome> {
  try {
    return await retry(() => scanOnce(context, cause), isConflict);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'limit_exceeded') return 'over_limit';
    throw error;
  }
}

async function scanOnce(
  { connections, table }: Context,
  { branchId, cause, pullRequest, base, formerBase, commit, also }: Cause,
) {
  const branch = await table.get(codeBranches, branchId, true);
  const repository = await table.get(repositories, branch.repositoryId, true);
  if (scanProblem({ repository, branch })) return 'refused';
  const head = branch.headCommit;
  if (commit !== undefined && commit !== head) return 'outdated';
  if (cause !== 'schedule' && isSame(branch.policyScan, { commit: head, pullRequest, formerBase })) return 'same';
  const { taskTypes, failOn, filter } = repository.scanPolicy;
  const batch = table.batch();
  const wanted = { repository, branch, commit: head, taskTypes, depth: 'full' as const, cause, pullRequest };
  const tasks = await addScan(table, batch, { ...wanted, base: base ?? null });
  const taskIds = tasks.map(({ id }) => id);
  const { policyScan: former } = branch;
  const isSuperseded = former && former.commit !== head;
  if (isSuperseded) await supersede(table, batch, former);
  const started = { commit: head, cause, pullRequest, base: base ?? null, failOn, taskIds, startedAt: now() };
  const policyScan = { ...started, ...(filter != null && { filter }), finishedAt: null, comparison: null, gate: null };
  batch.update(codeBranches, branch, table.changed<CodeBranch, never>(branch, { policyScan }));
  also?.(batch, repository);
  const tellings = await Promise.all(
    [...(former?.finishedAt === null ? [former] : []), policyScan].map((scan) =>
      addTelling(table, batch, { branch, repository, scan }),
    ),
  );
  await batch.commit();
  for (const send of tellings) await send(connections);
  return 'started';
}

/**
 * A pull request with a new target branch is compared with that branch. An older event that comes late reports no such
 * change.
 */
function isSame(
  last: CodeBranch['policyScan'],
  { commit, pullRequest, formerBase }: Pick<PolicyScan, 'commit' | 'pullRequest'> & Pick<Cause, 'formerBase'>,
): boolean {
  if (last?.commit !== commit) return false;
  return pullRequest === null || (last.pullRequest === pullRequest && (last.base ?? '') !== formerBase);
}

const SUPERSEDED = { code: 'superseded', message: 'A newer commit was pushed to its branch.' };

async function supersede(table: Table, batch: Batch, { taskIds }: Pick<PolicyScan, 'taskIds'>): Promise<void> {
  for (const task of await Promise.all(taskIds.map((id) => table.find(scannerTasks, id, true))))
    if (task?.status === 'pending' && task.codeScan?.cause !== 'request')
      finish({ table, batch }, task, { verb: 'cancel', error: SUPERSEDED });
}
