import { type Asset, type AssetIdentity, assetKey, assets, MAX_ALIASES } from '#shared/entities/asset.ts';
import { type Merge, queueMerge } from '#shared/findings/merges/merge.ts';
import { listedAssetName } from '#shared/findings/reported.ts';
import { chunksOf } from '#shared/runtime/chunks.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { ApiError, Overtaken } from '#shared/runtime/errors.ts';
import { ordinalOf } from '#shared/runtime/ids.ts';
import { log } from '#shared/runtime/log.ts';
import { retry } from '#shared/runtime/retry.ts';
import { ordinalsOf, recordsAt } from '#shared/table/selected.ts';
import type { Table } from '#shared/table/table.ts';
import { repositoryName } from '#shared/targets/repository.ts';

const READ_AT_ONCE = 500;

/**
 * Gives each repository its one name; the one that it had becomes an alias. Where another asset has the one name, a task of its own
 * merges the repository into that. Repeating it changes nothing.
 */
export async function respellAssets(connections: Connections, table: Table): Promise<void> {
  const ordinals = await ordinalsOf(table, assets, { filter: { type: 'repository' } });
  for (const some of chunksOf(ordinals, READ_AT_ONCE))
    for (const asset of await recordsAt(table, assets, some))
      if (repositoryName(asset.value) !== asset.value) await retry(() => respell(connections, table, asset.id));
}

async function respell(connections: Connections, table: Table, id: string): Promise<void> {
  const asset = await table.find(assets, id, true);
  if (!asset || repositoryName(asset.value) === asset.value) return;
  const { type, value, zone, name, aliases = [] } = asset;
  const wanted: AssetIdentity = { type, value: repositoryName(value), zone };
  const holder = await table.findUnique(assets, { field: 'identity', value: assetKey(wanted) }, true);
  if (holder && holder.id !== id) return mergeWith(connections, table, { assetId: id, intoId: holder.id });
  const others = aliases.filter((alias) => assetKey(alias) !== assetKey(wanted));
  if (others.length >= MAX_ALIASES) return;
  const isListed = name === value || name === listedAssetName(value);
  await table.update(assets, asset, {
    value: wanted.value,
    ...(isListed && { name: listedAssetName(wanted.value) }),
    aliases: [...others, { type, value, zone }],
  });
}

/** Assets that have too many names together stay two. */
async function mergeWith(connections: Connections, table: Table, merge: Merge): Promise<void> {
  try {
    await queueMerge(connections, table, merge);
  } catch (error) {
    if (!(error instanceof ApiError) || error instanceof Overtaken) throw error;
    log.warn('repository not merged', { ...merge, reason: error.message });
  }
}

/** The repositories with these ids. */
export async function repositoriesAt(table: Table, ids: readonly string[]): Promise<Map<string, Asset>> {
  const found = await recordsAt(table, assets, [...new Set(ids)].map(ordinalOf));
  return new Map(found.map((asset) => [asset.id, asset]));
}
