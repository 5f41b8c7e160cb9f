import * as z from 'zod';
import type { CodeHostApi } from '#shared/code/code-hosts/code-host.ts';
import { openHost } from '#shared/code/code-hosts/open.ts';
import { syncGroup } from '#shared/code/code-hosts/sync.ts';
import { noteHost } from '#shared/code/integrations/health.ts';
import { hostOf, type Integration, integrations } from '#shared/code/integrations/integration.ts';
import { type Repository, repositories } from '#shared/code/repositories/repository.ts';
import { keepAccess } from '#shared/code/sync/keep-access.ts';
import type { Hosted } from '#shared/code/sync/keep-repository.ts';
import { continueNow, keepStep } from '#shared/platform/jobs/continue.ts';
import type { TaskRow } from '#shared/platform/jobs/task.ts';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { pagesOf } from '#shared/platform/outgoing/pages.ts';
import { elapsedMs, now } from '#shared/platform/runtime/clock.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import { waitOrFail } from './continue.ts';
import type { SyncResult } from './results.ts';
import { syncRepository } from './sync-repository.ts';

const Input = z.object({ integrationId: z.uuid() });

const Checkpoint = z.object({
  slice: z.int(),
  /** The pages that are read, the next one, and how many of its repositories are kept. */
  pages: z.int().default(0),
  next: z.string().optional(),
  done: z.int(),
  /** The list of repositories is read; the repositories that it lacked are left. */
  isListed: z.boolean(),
  repositories: z.int(),
  inaccessible: z.int(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

const START: Checkpoint = { slice: 0, pages: 0, done: 0, isListed: false, repositories: 0, inaccessible: 0 };

/** A slice ends after a page or a repository, so soon that a slow host keeps no worker from the events of others. */
const SLICE_MS = 5000;
/** A hundred thousand repositories. */
const MAX_PAGES = 1000;

type Sync = {
  work: Work;
  task: TaskRow;
  integration: Integration;
  hosted: Hosted;
  at: Checkpoint;
  isOver: () => boolean;
};

/** Reads the repositories and branches of an account, in slices. Each of its effects may be repeated. */
export async function syncIntegration(work: Work): Promise<SyncResult | undefined> {
  const { table, task, connections } = work;
  const integration = await table.find(integrations, Input.parse(task.input).integrationId, true);
  if (!integration?.enabled) throw new TaskFailure('conflict', 'The integration was deleted or turned off.');
  const current = Checkpoint.parse(task.checkpoint ?? START);
  const at = { ...current, slice: current.slice + 1 };
  const endMs = elapsedMs() + SLICE_MS;
  const sync: Sync = {
    work,
    task,
    integration,
    hosted: hostedBy(work, integration),
    at,
    isOver: () => elapsedMs() > endMs,
  };
  try {
    const host = await openHost({ connections, table }, integration);
    const isWhole = (at.isListed || (await readList(sync, host))) && (await lookForMissing(sync, host));
    if (isWhole) return await end(sync);
    // also when no repository was kept: the number of the slice distinguishes its message from the previous one
    await keep(sync, {});
    return await continueNow(laterOf(sync), at.slice);
  } catch (error) {
    if (error instanceof HostError) await keep(sync, {});
    return await waitOrFail(laterOf(sync), integration, error);
  }
}

const hostedBy = ({ connections, table }: Work, integration: Integration): Hosted => ({
  connections,
  table,
  integrationId: integration.id,
  vendor: integration.kind,
  host: hostOf(integration),
  receivedAt: now(),
});

const laterOf = ({ work, task, integration }: Sync) => ({ ...work, task, group: syncGroup(integration) });

/** @returns whether the list was read to its end before the slice was over */
async function readList(sync: Sync, host: CodeHostApi): Promise<boolean> {
  const { next: from, pages } = sync.at;
  for await (const page of pagesOf((next) => host.repositories(next), { from, most: MAX_PAGES - pages })) {
    for (const announced of page.items.slice(sync.at.done)) {
      if (sync.isOver()) return false;
      await syncRepository(sync.hosted, host, announced);
      await keep(sync, { done: sync.at.done + 1, repositories: sync.at.repositories + 1 });
    }
    const isListed = page.next === undefined;
    await keep(sync, { pages: sync.at.pages + 1, done: 0, next: page.next, isListed });
    if (isListed || sync.isOver()) return isListed;
  }
  throw new HostError('unexpected_answer', `Its list of repositories does not end after ${MAX_PAGES} pages.`);
}

/**
 * Asks for each known repository that the list lacks: it was transferred to another account, or deleted, or the access
 * no longer includes it. The host answers the last two in the same way.
 */
async function lookForMissing(sync: Sync, host: CodeHostApi): Promise<boolean> {
  const { table } = sync.work;
  const where = { integration: sync.integration.id, status: ['active', 'archived'] };
  for (const repository of await recordsOf(table, repositories, { where })) {
    if (repository.syncedAt !== null && repository.syncedAt >= sync.task.createdAt) continue;
    if (sync.isOver()) return false;
    const isThere = await findAgain(sync, host, repository);
    const counted = isThere ? 'repositories' : 'inaccessible';
    await keep(sync, { [counted]: sync.at[counted] + 1 });
  }
  return true;
}

async function findAgain({ hosted }: Sync, host: CodeHostApi, repository: Repository): Promise<boolean> {
  const { externalId, fullName, visibility } = repository;
  try {
    await syncRepository(hosted, host, await host.repository(externalId));
    return true;
  } catch (error) {
    if (!(error instanceof HostError) || error.code !== 'not_found') throw error;
    await keepAccess(hosted, { externalId, fullName, isPrivate: visibility === 'private' }, 'inaccessible');
    return false;
  }
}

async function keep(sync: Sync, moved: Partial<Checkpoint>): Promise<void> {
  sync.at = { ...sync.at, ...moved };
  const progress = { ...sync.task.progress, done: sync.at.repositories + sync.at.inaccessible };
  sync.task = await keepStep(sync.work.table, sync.task, { checkpoint: sync.at, progress });
}

async function end({ work, integration, at }: Sync): Promise<SyncResult> {
  await noteHost(work.table, integration, undefined, { lastSyncAt: now() });
  return { repositories: at.repositories, inaccessible: at.inaccessible };
}
