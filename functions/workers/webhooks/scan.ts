import { type PolicyOutcome, scanByPolicy, scansPushes } from '#shared/code/code-scans/by-policy.ts';
import { type CodeBranch, codeBranches, codeBranchPlace, forkHeadName } from '#shared/code/repositories/code-branch.ts';
import type { Repository } from '#shared/code/repositories/repository.ts';
import { type AnnouncedBranch, keepBranch } from '#shared/code/sync/keep-branch.ts';
import type { Hosted } from '#shared/code/sync/keep-repository.ts';

const EFFECTS: Partial<Record<PolicyOutcome, string>> = { started: 'scan_started', over_limit: 'scan_over_limit' };

const effectOf = (outcome: PolicyOutcome): string[] => {
  const effect = EFFECTS[outcome];
  return effect ? [effect] : [];
};

type Pushed = { repository: Repository; branch: CodeBranch; commit: string | null };

/** Scans the commit that was pushed, if the policy says so and no later push was kept before. @returns the effects */
export async function scanPush(hosted: Hosted, { repository, branch, commit }: Pushed): Promise<string[]> {
  if (commit === null || !scansPushes({ repository, branch })) return [];
  return effectOf(await scanByPolicy(hosted, { branchId: branch.id, cause: 'push', pullRequest: null, commit }));
}

/** A pull request: its number, the branch that it would change, and the head of its own, by its name in the fork. */
export type Proposed = {
  number: number;
  base: string;
  /** The one before, of an event that tells of another one. */
  formerBase?: string | undefined;
  isOfFork: boolean;
  head: Omit<AnnouncedBranch, 'headCommit' | 'isDeleted'> & { headCommit: string };
};

const scansForks = ({ scanPolicy: { onPullRequest, forks } }: Repository): boolean => onPullRequest && forks !== false;

/**
 * Scans the head of a pull request's branch. Its event may come before that of the push, which is kept from it then. The head of
 * a fork's is kept under the name that it has in this repository.
 */
export async function scanPullRequest(
  hosted: Hosted,
  repository: Repository,
  { number, base, formerBase, isOfFork, head }: Proposed,
): Promise<string[]> {
  if (!repository.scanPolicy.onPullRequest) return [];
  if (isOfFork && !scansForks(repository)) return ['fork_not_scanned'];
  const told = isOfFork ? { ...head, ...headOfFork(hosted, number) } : head;
  const { id: branchId } = await keepBranch(hosted, repository, { ...told, isDeleted: false });
  const cause = { cause: 'pull_request' as const, pullRequest: number, base, formerBase, commit: head.headCommit };
  return effectOf(await scanByPolicy(hosted, { branchId, ...cause }));
}

const headOfFork = ({ vendor }: Hosted, number: number) => ({
  name: forkHeadName(vendor, number),
  forkPullRequest: number,
});

/** The head of a fork's pull request ends with it, as a branch does. @returns the effects */
export async function endPullRequest(
  hosted: Hosted,
  repository: Repository,
  { number, isOfFork, head }: Proposed,
): Promise<string[]> {
  if (!isOfFork) return [];
  const fork = headOfFork(hosted, number);
  const value = codeBranchPlace({ repositoryId: repository.id, name: fork.name });
  const current = await hosted.table.findUnique(codeBranches, { field: 'place', value }, true);
  // where heads of forks are scanned, an earlier event may still come
  if (!current && !scansForks(repository)) return [];
  await keepBranch(hosted, repository, { ...head, ...fork, isDeleted: true });
  return ['branch_deleted'];
}
