import { listedAssetName } from '#functions/workers/ingest/entry.ts';
import { type AssetIdentity, assetKey, assets } from '#shared/entities/asset.ts';
import type { StoredFinding } from '#shared/entities/finding.ts';
import { chunksOf } from '#shared/runtime/chunks.ts';
import { isConflict, retry } from '#shared/runtime/retry.ts';
import type { Table } from '#shared/table/table.ts';
import { idsOf } from './lookup.ts';

/** Rows of a new asset: itself, its identity and six words at most; with their counters eight fit a transaction. */
const ASSETS_PER_BATCH = 8;

type FindingAsset = StoredFinding['asset'];

/** The assets of some findings, by `assetKey`; those that nobody knew are made. */
export async function ensureAssets(
  table: Table,
  wanted: readonly AssetIdentity[],
  at: string,
): Promise<Map<string, FindingAsset>> {
  const identities = new Map(wanted.map((identity) => [assetKey(identity), identity]));
  const ids = new Map<string, string>();
  const find = async (attempt: number) => {
    const missing = [...identities.keys()].filter((key) => !ids.has(key));
    const consistent = attempt > 1;
    for (const [key, id] of await idsOf(table, assets, { field: 'identity', values: missing, consistent }))
      ids.set(key, id);
    const absent = missing.filter((key) => !ids.has(key)).flatMap((key) => identities.get(key) ?? []);
    for (const some of chunksOf(absent, ASSETS_PER_BATCH))
      for (const [key, id] of await createAssets(table, some, at)) ids.set(key, id);
  };
  // another scan may make one of them at the same moment: the next attempt finds that asset
  await retry(find, isConflict);
  return new Map([...identities].map(([key, identity]) => [key, findingAsset(identity, ids.get(key) ?? '')]));
}

const findingAsset = ({ type, value, zone }: AssetIdentity, id: string): FindingAsset => ({
  id,
  type,
  name: listedAssetName(value),
  zone,
});

async function createAssets(
  table: Table,
  identities: readonly AssetIdentity[],
  at: string,
): Promise<Map<string, string>> {
  const ids = await table.reserve(assets, identities.length);
  const batch = table.batch();
  for (const [n, identity] of identities.entries()) {
    const draft = { ...identity, name: listedAssetName(identity.value), criticality: 'medium' as const };
    const more = { internetExposed: null, tags: [], firstSeenAt: at, id: ids[n] ?? '' };
    batch.create(assets, table.stamp({ ...draft, ...more }));
  }
  await batch.commit();
  return new Map(identities.map((identity, n) => [assetKey(identity), ids[n] ?? '']));
}
