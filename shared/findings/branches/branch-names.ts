import type { Asset } from '#shared/assets/asset/asset.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { ordinalsOf, recordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { branches } from './branch.ts';

const AT_ONCE = 100;

/**
 * The names of the branches of repositories, by the asset's id; read only if a rule uses them. Ended branches do not
 * count.
 */
export async function branchesOf(
  table: Table,
  some: readonly Pick<Asset, 'id' | 'type'>[],
  { asksBranches }: { asksBranches: boolean },
): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>();
  const repositories = asksBranches ? some.filter(({ type }) => type === 'repository') : [];
  for (const part of chunksOf(repositories, AT_ONCE)) {
    const where = { asset: part.map(({ id }) => id) };
    for (const { assetId, name, endedAt } of await recordsAt(
      table,
      branches,
      await ordinalsOf(table, branches, { where }),
    ))
      if (endedAt === null) names.set(assetId, [...(names.get(assetId) ?? []), name]);
  }
  return names;
}
