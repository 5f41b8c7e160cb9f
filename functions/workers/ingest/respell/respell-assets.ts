import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { repositoryName } from '#shared/assets/targets/repository.ts';
import { renameAsset } from '#shared/exposure/asset-actions/rename.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { ordinalsOf, recordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';

const READ_AT_ONCE = 500;

/**
 * Gives each repository its one name; the one that it had becomes an alias. Where another asset has the one name, a task of its own
 * merges the repository into that. Repeating it changes nothing.
 */
export async function respellAssets({ connections, table }: Context): Promise<void> {
  const ordinals = await ordinalsOf(table, assets, { filter: { type: 'repository' } });
  for (const some of chunksOf(ordinals, READ_AT_ONCE))
    for (const asset of await recordsAt(table, assets, some))
      if (repositoryName(asset.value) !== asset.value)
        await renameAsset({ connections, table }, asset.id, inOneSpelling);
}

const inOneSpelling = ({ type, value, zone }: Asset) => ({ type, value: repositoryName(value), zone });

/** The repositories with these ids. */
export async function repositoriesAt(table: Table, ids: readonly string[]): Promise<Map<string, Asset>> {
  const found = await recordsAt(table, assets, [...new Set(ids)].map(ordinalOf));
  return new Map(found.map((asset) => [asset.id, asset]));
}
