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

/** Scans a pushed commit, if the policy asks for it and no later push was stored before. @returns the effects */
export async function scanPush(hosted: Hosted, { repository, branch, commit }: Pushed): Promise<string[]> {
  if (commit === null || !scansPushes({ repository, branch })) return [];
  return effectOf(await scanByPolicy(hosted, { branchId: branch.id, cause: 'push', pullRequest: null, commit }));
}

/** A pull request: its number, the branch that it would change, and the head of its own, by its name in the fork. */
export type Proposed = {
  number: number;
  base: string;
  /** The former base branch, where the event reports a change of it. */
  formerBase?: string | undefined;
  isOfFork: boolean;
  head: Omit<AnnouncedBranch, 'headCommit' | 'isDeleted'> & { headCommit: string };
};

const scansForks = ({ scanPolicy: { onPullRequest, forks } }: Repository): boolean => onPullRequest && forks !== false;

/**
 * Scans the head of a pull request's branch. The pull request's event may come before the push's event; then this
 * stores the branch. The head of a fork has a name of its own in this repository.
 */
export async function scanPullRequest(
  hosted: Hosted,
  repository: Repository,
  { number, base, formerBase, isOfFork, head }: Proposed,
): Promise<string[]> {
  if (!repository.scanPolicy.onPullRequest) return [];
  if (isOfFork && !scansForks(repository)) return ['fork_not_scanned'];
  const reported = isOfFork ? { ...head, ...headOfFork(hosted, number) } : head;
  const { id: branchId } = await keepBranch(hosted, repository, { ...reported, isDeleted: false });
  const cause = { cause: 'pull_request' as const, pullRequest: number, base, formerBase, commit: head.headCommit };
  return effectOf(await scanByPolicy(hosted, { branchId, ...cause }));
}

const headOfFork = ({ vendor }: Hosted, number: number) => ({
  name: forkHeadName(vendor, number),
  forkPullRequest: number,
});

/** Ends the head of a fork's pull request like a branch. @returns the effects */
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
