import { type Asset, type AssetIdentity, assetKey, assets, MAX_ALIASES } from '#shared/entities/asset.ts';
import { listedAssetName } from '#shared/findings/reported.ts';
import { chunksOf } from '#shared/runtime/chunks.ts';
import { ordinalOf } from '#shared/runtime/ids.ts';
import { retry } from '#shared/runtime/retry.ts';
import { ordinalsOf, recordsAt } from '#shared/table/selected.ts';
import type { Table } from '#shared/table/table.ts';
import { repositoryName } from '#shared/targets/repository.ts';

const READ_AT_ONCE = 500;

/** Gives each repository its one name; the one that it had becomes an alias. Repeating it changes nothing. */
export async function respellAssets(table: Table): Promise<void> {
  const ordinals = await ordinalsOf(table, assets, { filter: { type: 'repository' } });
  for (const some of chunksOf(ordinals, READ_AT_ONCE))
    for (const asset of await recordsAt(table, assets, some))
      if (repositoryName(asset.value) !== asset.value) await retry(() => respell(table, asset.id));
}

async function respell(table: Table, id: string): Promise<void> {
  const asset = await table.find(assets, id, true);
  if (!asset || repositoryName(asset.value) === asset.value) return;
  const { type, value, zone, name, aliases = [] } = asset;
  const wanted: AssetIdentity = { type, value: repositoryName(value), zone };
  const holder = await table.findUnique(assets, { field: 'identity', value: assetKey(wanted) }, true);
  if (holder && holder.id !== id) return;
  const others = aliases.filter((alias) => assetKey(alias) !== assetKey(wanted));
  if (others.length >= MAX_ALIASES) return;
  const isListed = name === value || name === listedAssetName(value);
  await table.update<Asset, never>(assets, asset, {
    value: wanted.value,
    ...(isListed && { name: listedAssetName(wanted.value) }),
    aliases: [...others, { type, value, zone }],
  });
}

/** The repositories with these ids. */
export async function repositoriesAt(table: Table, ids: readonly string[]): Promise<Map<string, Asset>> {
  const found = await recordsAt(table, assets, [...new Set(ids)].map(ordinalOf));
  return new Map(found.map((asset) => [asset.id, asset]));
}
