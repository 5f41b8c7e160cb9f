import type { CodeBranch } from '../repositories/code-branch.ts';
import type { Repository } from '../repositories/repository.ts';

type Scanned = { repository: Pick<Repository, 'status' | 'fullName'>; branch: Pick<CodeBranch, 'status' | 'name'> };

const PROBLEMS: Record<Exclude<Repository['status'], 'active'>, string> = {
  archived: 'is archived: unarchive it at its code host first',
  deleted: 'was deleted at its code host',
  inaccessible: 'is out of reach: let the integration read it at its code host',
};

/** Why a branch cannot be scanned now; undefined where it can. */
export function scanProblem({ repository, branch }: Scanned): string | undefined {
  if (repository.status !== 'active') return `The repository ${repository.fullName} ${PROBLEMS[repository.status]}.`;
  return branch.status === 'deleted' ? `The branch ${branch.name} was deleted.` : undefined;
}
