import { type Asset, type AssetIdentity, assetKey, assets } from '#shared/assets/asset/asset.ts';
import { keepAssetTimer } from '#shared/assets/asset/asset-timer.ts';
import { learnKnownAssets } from '#shared/assets/asset/known-assets.ts';
import { type Sighting, sightingChanges } from '#shared/assets/asset/sighting.ts';
import { returnAsset } from '#shared/exposure/asset-actions/return-asset.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { commitMany } from '#shared/platform/table/many.ts';
import { repositoryOf } from './branch.ts';
import type { Accepted } from './phases.ts';
import { withZones } from './placing.ts';

/** The assets that a report names, by `assetKey`, each with the tools that saw it. */
export type Sighted = Map<string, { asset: AssetIdentity; tools: Set<string> }>;

/**
 * @param tool that reported something on the asset. One that merely reached it is no source: where nothing else named the asset before, there
 *   is none that could note it, and the sources would depend on which of two scans came first.
 */
export function noteSighted(sighted: Sighted, asset: AssetIdentity, tool?: string): void {
  const key = assetKey(asset);
  const { tools } = sighted.get(key) ?? { tools: new Set() };
  if (tool !== undefined) tools.add(tool);
  sighted.set(key, { asset, tools });
}

/** Notes on known assets that a report which was read to its end saw them, also on assets without a finding. */
export async function keepSightings(accepted: Accepted, sighted: Sighted): Promise<void> {
  const { table, learned, at } = accepted;
  const repository = repositoryOf(accepted.submission);
  const reported = [...sighted.values(), ...(repository ? [{ asset: repository, tools: new Set<string>() }] : [])];
  const places = await withZones(
    accepted,
    reported.map(({ asset }) => asset),
  );
  await learnKnownAssets(table, learned.assets, places.map(assetKey));
  const byId = new Map<string, Sighting>();
  for (const [n, { asset, tools }] of reported.entries()) {
    const id = learned.assets.get(assetKey(places[n] ?? asset))?.id;
    if (id !== undefined) byId.set(id, { at, tools: [...tools, ...(byId.get(id)?.tools ?? [])] });
  }
  await retry((attempt) => write(accepted, byId, attempt > 1), isConflict);
}

async function write(accepted: Accepted, seen: ReadonlyMap<string, Sighting>, consistent: boolean): Promise<void> {
  const { table } = accepted;
  const current = await table.findMany(assets, [...seen.keys()], consistent);
  const retired = current.filter(({ retiredAt }) => retiredAt);
  // before the report looks for its findings
  for (const { id } of retired) await returnAsset(accepted, id);
  if (retired.length > 0) return write(accepted, seen, true);
  const changed = current.flatMap((asset) => {
    const sighting = seen.get(asset.id);
    const changes = sighting && sightingChanges(asset, sighting);
    return changes ? [[asset, table.changed<Asset, never>(asset, changes)] as const] : [];
  });
  if (changed.length > 0) await keepAssetTimer(table);
  await commitMany(table.batch, changed, (batch, [asset, next]) => batch.update(assets, asset, next));
}
