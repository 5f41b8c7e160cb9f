import { branches, branchPlace } from '#shared/findings/branches/branch.ts';
import { queueEnd } from '#shared/findings/bulk/branch-end.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { type CodeBranch, codeBranches, codeBranchPlace } from '../repositories/code-branch.ts';
import type { Repository } from '../repositories/repository.ts';
import type { Hosted } from './keep-repository.ts';
import { isProtected } from './protect-branches.ts';

/** The state of a branch after a push; `formerCommit`: the head before the push, where there was one. */
export type AnnouncedBranch = {
  name: string;
  at: string;
  /** Whether `at` is the time of the push, not of its commit. */
  isPushTime: boolean;
  headCommit: string | null;
  formerCommit: string | null;
  headCommittedAt: string | null;
  isDeleted: boolean;
  /** For a list of the host: the time of the request, by the clock of this service. */
  askedAt?: string;
  protected?: boolean;
  /** The number of the fork's pull request whose head this is. */
  forkPullRequest?: number;
};

/** Keeps the head of a branch. A deleted one ends with its findings. An event that is older than the present state changes nothing. */
export async function keepBranch(
  hosted: Hosted,
  repository: Repository,
  announced: AnnouncedBranch,
): Promise<CodeBranch> {
  const { table } = hosted;
  const kept = await retry(async () => {
    const place = codeBranchPlace({ repositoryId: repository.id, name: announced.name });
    const current = await table.findUnique(codeBranches, { field: 'place', value: place }, true);
    const { name, at: factsAt, headCommit, formerCommit, headCommittedAt, isDeleted } = announced;
    const state = {
      protected: announced.protected ?? current?.protected ?? startsProtected(repository, announced),
      factsAt,
      headCommit: headCommit ?? current?.headCommit ?? null,
      formerCommit: formerCommit ?? (current?.headCommit === headCommit ? (current?.formerCommit ?? null) : null),
      headCommittedAt: headCommittedAt ?? current?.headCommittedAt ?? null,
      status: isDeleted ? ('deleted' as const) : ('active' as const),
    };
    const isLater = current && (isNewer(announced, current) || isMadeAgain(hosted, announced, current));
    if (current && (!isLater || isKnown(current, announced))) return current;
    if (current) return table.update(codeBranches, current, state);
    const { forkPullRequest = null } = announced;
    const settings = { protectedHere: null, scanOnPush: null, tags: [], forkPullRequest };
    const { id: repositoryId, vendor } = repository;
    return table.create(codeBranches, { repositoryId, vendor, name, ...settings, ...state });
  }, isConflict);
  if (kept.status === 'deleted') await endScanned(hosted, repository, kept.name);
  return kept;
}

const startsProtected = (repository: Repository, { name, forkPullRequest }: AnnouncedBranch): boolean =>
  forkPullRequest === undefined && isProtected(repository, name);

/**
 * The times of pushes order them. Where the host reports none, or two are of one second, the later push begins at the
 * commit at which the earlier one ends; other pushes are ordered by their commits' times. A list includes the effects
 * of all events that came before its request.
 */
function isNewer(announced: AnnouncedBranch, current: CodeBranch): boolean {
  if (announced.askedAt !== undefined) return current.updatedAt < announced.askedAt;
  if (announced.isPushTime && announced.at !== current.factsAt) return announced.at > current.factsAt;
  if (announced.formerCommit !== null && announced.formerCommit === current.headCommit) return true;
  if (announced.headCommit !== null && announced.headCommit === current.formerCommit) return false;
  return announced.at >= current.factsAt;
}

const MADE_AGAIN_AFTER_MS = 60_000;

/**
 * Where the host reports no time of a push, the push that made a branch looks like the push that makes it again. Events
 * of one push come within seconds, so an event a minute after the deletion belongs to another push.
 */
const isMadeAgain = (
  { receivedAt }: Hosted,
  { isPushTime, askedAt, isDeleted, formerCommit }: AnnouncedBranch,
  { status, updatedAt }: CodeBranch,
): boolean =>
  !isPushTime &&
  askedAt === undefined &&
  formerCommit === null &&
  !isDeleted &&
  status === 'deleted' &&
  Date.parse(receivedAt) - Date.parse(updatedAt) > MADE_AGAIN_AFTER_MS;

/** Most entries of a list are known already. */
const isKnown = (
  current: CodeBranch,
  { askedAt, headCommit, isDeleted, protected: wanted }: AnnouncedBranch,
): boolean =>
  askedAt !== undefined &&
  (isDeleted || current.headCommit === headCommit) &&
  current.protected === (wanted ?? current.protected) &&
  current.status === (isDeleted ? 'deleted' : 'active');

/** Ends the branch as scans know it, with its findings. */
async function endScanned({ connections, table }: Hosted, { assetId }: Repository, name: string): Promise<void> {
  const place = branchPlace({ assetId, name });
  const scanned = await table.findUnique(branches, { field: 'place', value: place }, true);
  if (scanned && !scanned.isDefault && !scanned.endedAt)
    await queueEnd({ connections, table }, { branchId: scanned.id, isRemoved: false });
}
