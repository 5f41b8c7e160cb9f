import { type AssetIdentity, assetKey } from '#shared/assets/asset/asset.ts';
import { learnKnownAssets } from '#shared/assets/asset/known-assets.ts';
import type { Accepted } from './phases.ts';

/** The zones of the assets of a report. A known asset without a zone keeps its findings and stays without a zone. */
export async function withZones(
  accepted: Accepted,
  named: readonly AssetIdentity[],
): Promise<readonly AssetIdentity[]> {
  const zoned = named.flatMap((asset) => {
    const zone = zoneOf(accepted, asset);
    return zone === undefined ? [] : [[assetKey(asset), zone] as const];
  });
  if (zoned.length === 0) return named;
  const zoneByKey = new Map(zoned);
  const {
    table,
    learned: { assets },
  } = accepted;
  await learnKnownAssets(table, assets, [...zoneByKey.keys()]);
  return named.map((asset) => {
    const key = assetKey(asset);
    const zone = assets.get(key) ? undefined : zoneByKey.get(key);
    return zone === undefined ? asset : { ...asset, zone };
  });
}

const zoneOf = ({ learned }: Accepted, { type, value, zone }: AssetIdentity): string | undefined =>
  zone === null && (type === 'host' || type === 'url') ? learned.placing(value) : undefined;
