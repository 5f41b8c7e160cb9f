import { type PolicyOutcome, scanByPolicy, scansPushes } from '#shared/code-scans/by-policy.ts';
import type { CodeBranch } from '#shared/entities/code-branch.ts';
import type { Repository } from '#shared/entities/repository.ts';
import { keepBranch, type ToldBranch } from './keep-branch.ts';
import type { Hosted } from './keep-repository.ts';

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

/** A pull request: its number, the branch that it would change, and the head of its own. */
type Proposed = {
  number: number;
  base: string;
  isOfFork: boolean;
  head: Omit<ToldBranch, 'headCommit' | 'isDeleted'> & { headCommit: string };
};

/**
 * Scans the head of a pull request's branch. Its event may come before that of the push, which is kept from it then. The branch
 * of a fork lies in a repository that may not be connected: it is not scanned.
 */
export async function scanPullRequest(
  hosted: Hosted,
  repository: Repository,
  { number, base, isOfFork, head }: Proposed,
): Promise<string[]> {
  if (!repository.scanPolicy.onPullRequest) return [];
  if (isOfFork) return ['fork_not_scanned'];
  const { id: branchId } = await keepBranch(hosted, repository, { ...head, isDeleted: false });
  const cause = { cause: 'pull_request' as const, pullRequest: number, base, commit: head.headCommit };
  return effectOf(await scanByPolicy(hosted, { branchId, ...cause }));
}
