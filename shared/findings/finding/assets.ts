import { type Asset, type AssetIdentity, assetKey, assets, toolsTogether } from '#shared/assets/asset/asset.ts';
import { keepAssetTimer } from '#shared/assets/asset/asset-timer.ts';
import { type KnownAssets, learnKnownAssets, namedAsset } from '#shared/assets/asset/known-assets.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { commitMany } from '#shared/platform/table/many.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { StoredFinding } from './finding.ts';
import { listedAssetName } from './reported.ts';

type FindingAsset = StoredFinding['asset'];

/**
 * `known`: the assets that were read before; this adds assets that are read and made now. `toolsOf`: the tools that
 * reported the asset of a key. `importId`: the import for which new assets are made.
 */
type Ensured = {
  at: string;
  known?: KnownAssets;
  toolsOf?: (key: string) => readonly string[];
  importId?: string | undefined;
};

/** The assets of some findings, by `assetKey`; those that nobody knew are made. */
export async function ensureAssets(
  table: Table,
  wanted: readonly AssetIdentity[],
  { known = new Map(), toolsOf = () => [], ...made }: Ensured,
): Promise<Map<string, FindingAsset>> {
  const identities = new Map(wanted.map((identity) => [assetKey(identity), identity]));
  const find = async (attempt: number) => {
    const missing = [...identities.keys()].filter((key) => !known.get(key));
    await learnKnownAssets(table, known, missing, attempt > 1);
    const absent = missing.filter((key) => !known.get(key)).flatMap((key) => identities.get(key) ?? []);
    for (const [key, id] of await createAssets(table, absent, { ...made, toolsOf })) known.set(key, { id });
  };
  // another scan may make one of them at the same moment: the next attempt finds that asset
  await retry(find, isConflict);
  return new Map(
    [...identities].map(([key, identity]) => [
      key,
      findingAsset(namedAsset(known, identity).identity, known.get(key)?.id ?? ''),
    ]),
  );
}

export const findingAsset = ({ type, value, zone }: AssetIdentity, id: string): FindingAsset => ({
  id,
  type,
  name: listedAssetName(value),
  zone,
});

/** The fields of an asset of which reports have named only the value. */
export const untouchedFields = ({ value }: Pick<AssetIdentity, 'value'>) => ({
  name: listedAssetName(value),
  criticality: 'medium' as const,
  internetExposed: null,
  tags: [],
});

async function createAssets(
  table: Table,
  identities: readonly AssetIdentity[],
  made: Omit<Ensured, 'known'>,
): Promise<Map<string, string>> {
  const created = await newAssets(table, identities, made);
  await commitMany(table.batch, created, (batch, asset) => batch.create(assets, asset));
  return new Map(created.map((asset) => [assetKey(asset), asset.id]));
}

/** Assets of which reports have named only the value, for a batch. */
export async function newAssets(
  table: Table,
  identities: readonly AssetIdentity[],
  { at, importId, toolsOf = () => [] }: Omit<Ensured, 'known'>,
): Promise<Asset[]> {
  if (identities.length === 0) return [];
  const ids = await table.reserve(assets, identities.length);
  await keepAssetTimer(table);
  return identities.map((identity, n) => {
    const seen = { firstSeenAt: at, lastSeenAt: at, sources: toolsTogether(toolsOf(assetKey(identity))) };
    return table.stamp<Asset>({ ...identity, ...untouchedFields(identity), ...seen, importId, id: ids[n] ?? '' });
  });
}
