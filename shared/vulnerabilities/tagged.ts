import { assets, tagsOf } from '../entities/asset.ts';
import { vulnerabilities } from '../entities/vulnerability.ts';
import { chunksOf } from '../runtime/chunks.ts';
import { ordinalsOf } from '../table/selected.ts';
import type { Table } from '../table/table.ts';

/** The tags of assets as they are now, by the ids of those that have some. */
export async function tagsOfAssets(table: Table, ids: readonly string[]): Promise<Map<string, string[]>> {
  const found = await table.findMany(assets, [...new Set(ids)], true);
  return new Map(found.map((asset) => [asset.id, tagsOf(asset)] as const).filter(([, tags]) => tags.length > 0));
}

const ASKED_AT_ONCE = 100;

/** The vulnerabilities on assets, newest first. */
export async function vulnerabilitiesOn(table: Table, assetIds: readonly string[]): Promise<number[]> {
  const found: number[] = [];
  for (const asset of chunksOf(assetIds, ASKED_AT_ONCE))
    found.push(...(await ordinalsOf(table, vulnerabilities, { where: { asset } })));
  return found.sort((a, b) => b - a);
}
