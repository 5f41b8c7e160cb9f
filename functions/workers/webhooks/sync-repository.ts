import type { CodeHostApi, ListedBranch, Told } from '#shared/code-hosts/code-host.ts';
import { codeBranches } from '#shared/entities/code-branch.ts';
import { type Repository, repositories } from '#shared/entities/repository.ts';
import { now } from '#shared/runtime/clock.ts';
import { isConflict, retry } from '#shared/runtime/retry.ts';
import { recordsOf } from '#shared/table/selected.ts';
import { keepBranch } from './keep-branch.ts';
import { type Hosted, keepRepository } from './keep-repository.ts';

/** Keeps a repository as its code host lists it, with its branches. */
export async function syncRepository(hosted: Hosted, host: CodeHostApi, told: Told): Promise<void> {
  const repository = await keepRepository(hosted, told);
  const branchesTag = repository.status === 'deleted' ? undefined : await syncBranches(hosted, host, repository);
  const synced = { syncedAt: now(), branchesTag };
  await retry(() => hosted.table.modify(repositories, repository.id, () => synced), isConflict);
}

/** @returns the validator of the list, of one that has one page */
async function syncBranches(hosted: Hosted, host: CodeHostApi, repository: Repository): Promise<string | undefined> {
  const askedAt = now();
  const etag = repository.branchesTag;
  const first = await host.branches(repository, { etag });
  if (!first) return etag;
  const listed = [...first.items];
  for (let { next } = first; next !== undefined; ) {
    const page = await host.branches(repository, { next });
    listed.push(...(page?.items ?? []));
    next = page?.next;
  }
  for (const branch of listed) await keepListed(hosted, repository, branch, askedAt);
  await endUnlisted(hosted, repository, new Set(listed.map(({ name }) => name)), askedAt);
  return first.next === undefined ? first.etag : undefined;
}

async function keepListed(
  hosted: Hosted,
  repository: Repository,
  branch: ListedBranch,
  askedAt: string,
): Promise<void> {
  const isPushTime = hosted.vendor === 'codehost_a';
  await keepBranch(hosted, repository, { ...branch, askedAt, isPushTime, formerCommit: null, isDeleted: false });
}

/** A branch that the host does not list any more was deleted. */
async function endUnlisted(
  hosted: Hosted,
  repository: Repository,
  listed: ReadonlySet<string>,
  askedAt: string,
): Promise<void> {
  const { table } = hosted;
  const standing = await recordsOf(table, codeBranches, { where: { repository: repository.id, status: 'active' } });
  for (const { name, factsAt, forkPullRequest } of standing) {
    if (listed.has(name) || forkPullRequest != null) continue;
    const untold = { headCommit: null, formerCommit: null, headCommittedAt: null, isPushTime: true };
    await keepBranch(hosted, repository, { ...untold, name, at: factsAt, askedAt, isDeleted: true });
  }
}
