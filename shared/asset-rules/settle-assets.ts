import { type Asset, assets } from '../entities/asset.ts';
import { concerning, newAssetChangeTask } from '../findings/asset-change.ts';
import { outboxWrites, sendOutbox } from '../jobs/outbox.ts';
import { chunksOf } from '../runtime/chunks.ts';
import type { Connections } from '../runtime/connections.ts';
import { ApiError } from '../runtime/errors.ts';
import { retry } from '../runtime/retry.ts';
import { batchOfMany } from '../table/many.ts';
import { recordsAt } from '../table/selected.ts';
import type { Table } from '../table/table.ts';
import { branchesOf } from './branches.ts';
import { type ListAsset, type Ruleset, readRuleset, sameRules } from './ruleset.ts';
import { unsettled } from './settle.ts';

export type Place = { connections: Connections; table: Table };

/** Assets that are read together. */
const PART = 200;

/**
 * Brings assets to what the rules say. Each transaction changes some of them, on condition that they and the rules are as they
 * were read, and queues the task that brings their findings along. It may be killed, repeated and done by two at once.
 * @returns how many it changed
 */
export async function settleAssets(place: Place, ordinals: readonly number[]): Promise<number> {
  let changed = 0;
  for (const part of chunksOf([...new Set(ordinals)], PART))
    await retry(async () => {
      for await (const some of settled(place, part)) changed += some;
    }, isOvertaken);
  return changed;
}

/** Another writer changed or removed one of the assets. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'conflict' || error.code === 'not_found');

type Change = { asset: ListAsset; changes: Partial<Asset> };

async function* settled(place: Place, ordinals: readonly number[]): AsyncGenerator<number> {
  const { table } = place;
  const ruleset = await readRuleset(table);
  const standing = await recordsAt(table, assets, ordinals);
  const branches = await branchesOf(table, standing, ruleset);
  const all = standing.flatMap((asset): Change | Change[] => {
    const changes = unsettled(asset, ruleset, branches.get(asset.id) ?? []);
    return changes ? { asset, changes } : [];
  });
  const concerns = await concerning(
    table,
    all.map(({ changes }) => changes),
  );
  for (let left: readonly Change[] = all; left.length > 0; ) {
    const { some, rest } = await write(place, left, { ruleset, concerns });
    yield some;
    left = rest;
  }
}

type Known = { ruleset: Ruleset; concerns: (changes: Partial<Asset>) => boolean };

/** Commits as many of the changes as fit a transaction. */
async function write({ connections, table }: Place, all: readonly Change[], { ruleset, concerns }: Known) {
  let queued: ReturnType<typeof newAssetChangeTask> | undefined;
  const { batch, some, left } = await batchOfMany(table.batch, all, (batch, part) => {
    for (const { asset, changes } of part)
      batch.update<Asset, Detail>(assets, asset, table.changed<Asset, Detail>(asset, changes));
    batch.write(sameRules(table, ruleset));
    const ids = part.flatMap(({ asset, changes }) => (concerns(changes) ? asset.id : []));
    queued = ids.length > 0 ? newAssetChangeTask(table, ids) : undefined;
    if (queued) batch.write(...outboxWrites(table, queued.task, queued.send));
  });
  await batch.commit();
  if (queued) await sendOutbox(connections, table, queued);
  return { some: some.length, rest: left };
}

type Detail = (typeof assets.detail)[number];
