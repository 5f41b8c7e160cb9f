import { assetKey, assetKeys, assets, MAX_ALIASES } from '#shared/assets/asset/asset.ts';
import { traitKeys } from '#shared/assets/asset/asset-traits.ts';
import { readAssets } from '#shared/assets/asset/known-assets.ts';
import { mergedAssets } from '#shared/assets/asset/merged-asset.ts';
import { findSuggestion } from '#shared/assets/identity/suggestion.ts';
import { isShortFor, repositoryName } from '#shared/assets/targets/repository.ts';
import { renameAsset } from '#shared/exposure/asset-actions/rename.ts';
import { newReturnTask, queueRetirement } from '#shared/exposure/asset-actions/retire.ts';
import { branches, branchPlace } from '#shared/findings/branches/branch.ts';
import { makeDefault } from '#shared/findings/branches/default-branch.ts';
import { newAssets } from '#shared/findings/finding/assets.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { AnnouncedRepository } from '../code-hosts/code-host.ts';
import type { CodeHost } from '../integrations/integration.ts';
import {
  type Repository,
  type RepositoryFacts,
  repositories,
  repositoryPlace,
  ScanPolicy,
} from '../repositories/repository.ts';

/** The integration whose event is being worked. */
export type Hosted = Context & { integrationId: string; vendor: CodeHost; host: string; receivedAt: string };

/** A time before all events, for partial reports: any other event reports more. */
export const EARLIEST = '1970-01-01T00:00:00.000Z';

/**
 * Stores an event's report about a repository, and updates the asset: its name, its default branch, and its end. An
 * event older than the current state changes nothing.
 */
export async function keepRepository(hosted: Hosted, announced: AnnouncedRepository): Promise<Repository> {
  const { table } = hosted;
  const kept = await retry(async () => {
    const place = repositoryPlace({ ...hosted, externalId: announced.externalId });
    const current = await table.findUnique(repositories, { field: 'place', value: place }, true);
    return current ? renew(table, current, announced) : create(hosted, announced);
  }, isConflict);
  await carryOver(hosted, kept);
  return kept;
}

/** The facts of a repository whose host reported only the names. */
const UNKNOWN = {
  description: null,
  defaultBranch: null,
  visibility: 'private' as const,
  archived: false,
  language: null,
  topics: [],
  pushedAt: null,
};

const statusOf = ({ archived }: Pick<RepositoryFacts, 'archived'>): Repository['status'] =>
  archived ? 'archived' : 'active';

/** The asset is made in the same transaction: a worker that dies leaves none of a name that the repository has no more. */
async function create(
  { table, integrationId, vendor, host, receivedAt }: Hosted,
  announced: AnnouncedRepository,
): Promise<Repository> {
  const identity = { type: 'repository' as const, value: repositoryName(announced.facts.url), zone: null };
  const known = (await readAssets(table, [assetKey(identity)], true)).get(assetKey(identity));
  const [made] = known ? [] : await newAssets(table, [identity], { at: receivedAt });
  const facts = { ...UNKNOWN, ...announced.facts };
  const draft = {
    vendor,
    integrationId,
    host,
    externalId: announced.externalId,
    assetId: known?.id ?? made?.id ?? '',
    ...facts,
    factsAt: announced.at,
    syncedAt: null,
    status: announced.status ?? statusOf(facts),
    scanPolicy: ScanPolicy.parse({}),
  };
  return table.create(repositories, draft, (batch) => made && batch.create(assets, made));
}

async function renew(table: Table, current: Repository, announced: AnnouncedRepository): Promise<Repository> {
  const changes = changesOf(current, announced);
  const isSame = Object.entries(changes).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(Reflect.get(current, name)),
  );
  return isSame ? current : table.update(repositories, current, changes);
}

/** A deleted repository never comes back under its id. */
function changesOf(current: Repository, { at, facts, status }: AnnouncedRepository): Partial<Repository> {
  if (status === 'deleted') return { status };
  if (at < current.factsAt || current.status === 'deleted') return {};
  const pushes = [current.pushedAt, facts.pushedAt ?? null].filter((time) => time !== null);
  const next = { ...facts, pushedAt: pushes.sort().at(-1) ?? null };
  return { ...next, factsAt: at, status: status ?? statusOf({ ...current, ...next }) };
}

/** The asset follows its repository; each step may be repeated. */
async function carryOver(hosted: Hosted, repository: Repository): Promise<void> {
  const { table } = hosted;
  const { id, url, defaultBranch } = repository;
  const assetId = await followMerges(table, repository);
  const value = repositoryName(url);
  await renameAsset(hosted, assetId, ({ type, zone }) => ({ type, value, zone }));
  await takeShortName(hosted, { ...repository, assetId });
  await endOrReturn(hosted, id);
  if (defaultBranch === null) return;
  const place = branchPlace({ assetId, name: defaultBranch });
  const scanned = await table.findUnique(branches, { field: 'place', value: place }, true);
  if (scanned && !scanned.isDefault) await makeDefault(table, scanned.id);
}

/**
 * CI jobs may name a repository without its host: its asset takes over this name, and the asset that was made for it. A name that
 * repositories of several hosts have is certain of none: people decide on suggestions.
 */
async function takeShortName(hosted: Hosted, { assetId, fullName, url }: Repository): Promise<void> {
  const { table } = hosted;
  const short = { type: 'repository' as const, value: fullName, zone: null };
  const asset = await table.find(assets, assetId, true);
  if (!asset || !isShortFor(fullName, url) || assetKeys(asset).includes(assetKey(short))) return;
  const identifier = traitKeys(short);
  if (identifier.length === 0) return;
  const others = (await recordsOf(table, assets, { where: { identifier } })).filter(({ id }) => id !== assetId);
  if (others.some(({ value }) => !isShortFor(value, url))) return;
  for (const { id, zone, retiredAt } of others) {
    const isParted = (await findSuggestion(table, [id, assetId]))?.status === 'dismissed';
    if (zone === null && !retiredAt && !isParted)
      await renameAsset(hosted, id, ({ type }) => ({ type, value: repositoryName(url), zone }));
  }
  const holder = await table.findUnique(assets, { field: 'identity', value: assetKey(short) }, true);
  if (holder) return;
  await retry(
    () =>
      table.modify(assets, assetId, ({ aliases = [] }) =>
        aliases.length < MAX_ALIASES ? { aliases: [...aliases, short] } : undefined,
      ),
    isConflict,
  );
}

/** The asset of a repository, also after a merge into another asset. */
async function followMerges(table: Table, { id, assetId }: Repository): Promise<string> {
  const merged = await table.find(mergedAssets, assetId, true);
  const into = merged?.mergedInto?.assetId;
  if (!into) return assetId;
  const moved = await retry(() => table.modify(repositories, id, () => ({ assetId: into })), isConflict);
  return followMerges(table, moved);
}

/**
 * Removes an archived or deleted repository with its findings from dashboards, and returns both later. The transaction
 * that queues this stores it too: of two opposite events, the last one is not lost when a worker dies.
 */
async function endOrReturn({ connections, table }: Hosted, repositoryId: string): Promise<void> {
  await retry(async () => {
    const repository = await table.get(repositories, repositoryId, true);
    const { assetId, status, assetEnded = false } = repository;
    const isOver = status === 'archived' || status === 'deleted';
    if (isOver === assetEnded || status === 'inaccessible') return;
    const note = (batch: Batch) =>
      void batch.update(repositories, repository, table.changed<Repository, never>(repository, { assetEnded: isOver }));
    const asset = await table.find(assets, assetId, true);
    // again where it is retired: a return may wait that another event asked for
    if (isOver && asset) await queueRetirement({ connections, table }, [asset], note);
    else if (!isOver && asset?.retiredAt)
      await queueNewTask({ connections, table }, newReturnTask(table, assetId, asset.retiredAt), note);
    else await table.update(repositories, repository, { assetEnded: isOver });
  }, isConflict);
}
