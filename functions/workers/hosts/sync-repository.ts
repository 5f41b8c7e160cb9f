import {
  type AnnouncedRepository,
  type CodeHostApi,
  type HostPage,
  type ListedBranch,
  orUnexpected,
} from '#shared/code/code-hosts/code-host.ts';
import { codeBranches } from '#shared/code/repositories/code-branch.ts';
import { type Repository, repositories } from '#shared/code/repositories/repository.ts';
import { keepBranch } from '#shared/code/sync/keep-branch.ts';
import { type Hosted, keepRepository } from '#shared/code/sync/keep-repository.ts';
import { pagesOf } from '#shared/platform/outgoing/pages.ts';
import { elapsedMs, now } from '#shared/platform/runtime/clock.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';

/** Ten thousand branches, and the time for them. */
const MAX_PAGES = 100;
const LIST_MS = 20_000;

/** Keeps a repository as its code host lists it, with its branches. */
export async function syncRepository(hosted: Hosted, host: CodeHostApi, announced: AnnouncedRepository): Promise<void> {
  const repository = await keepRepository(hosted, announced);
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
  const { listed, isWhole } = await restOf(first, async (next) =>
    orUnexpected(await host.branches(repository, { next })),
  );
  for (const branch of listed) await keepListed(hosted, repository, branch, askedAt);
  if (isWhole) await endUnlisted(hosted, repository, new Set(listed.map(({ name }) => name)), askedAt);
  return first.next === undefined ? first.etag : undefined;
}

type Page = HostPage<ListedBranch>;

/** The branches of a list by its first page. Of a list that is too long those on the first pages are kept, and none is ended. */
async function restOf(first: Page, ask: (next: string) => Promise<Page>) {
  const endMs = elapsedMs() + LIST_MS;
  const listed: ListedBranch[] = [];
  for await (const { items, next } of pagesOf(async (at) => (at === undefined ? first : ask(at)), {
    most: MAX_PAGES,
  })) {
    listed.push(...items);
    if (next === undefined) return { listed, isWhole: true };
    if (elapsedMs() > endMs) break;
  }
  return { listed, isWhole: false };
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
  const current = await recordsOf(table, codeBranches, { where: { repository: repository.id, status: 'active' } });
  for (const { name, factsAt, forkPullRequest } of current) {
    if (listed.has(name) || forkPullRequest != null) continue;
    const untold = { headCommit: null, formerCommit: null, headCommittedAt: null, isPushTime: true };
    await keepBranch(hosted, repository, { ...untold, name, at: factsAt, askedAt, isDeleted: true });
  }
}
