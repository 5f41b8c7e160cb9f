import { type Asset, type AssetIdentity, assetKey, assets, MAX_ALIASES } from '#shared/assets/asset/asset.ts';
import { listedAssetName } from '#shared/findings/finding/reported.ts';
import { ApiError, Overtaken } from '#shared/platform/runtime/errors.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { type Merge, queueMerge } from './merge.ts';

/**
 * Gives an asset another name; the former name becomes an alias. Where another asset has that name, a separate task
 * merges this one into it. Repeating it changes nothing.
 */
export const renameAsset = (
  { connections, table }: Context,
  id: string,
  nameOf: (asset: Asset) => AssetIdentity,
): Promise<void> =>
  retry(async () => {
    const asset = await table.find(assets, id, true);
    const wanted = asset && nameOf(asset);
    if (!wanted || assetKey(wanted) === assetKey(asset)) return;
    const holder = await table.findUnique(assets, { field: 'identity', value: assetKey(wanted) }, true);
    if (holder && holder.id !== id) return mergeWith({ connections, table }, { assetId: id, intoId: holder.id });
    const { type, value, zone, name, aliases = [] } = asset;
    const others = aliases.filter((alias) => assetKey(alias) !== assetKey(wanted));
    if (others.length >= MAX_ALIASES) return;
    const isListed = name === value || name === listedAssetName(value);
    await table.update(assets, asset, {
      value: wanted.value,
      ...(isListed && { name: listedAssetName(wanted.value) }),
      aliases: [...others, { type, value, zone }],
    });
  });

/** Assets that have too many names together stay two. */
async function mergeWith(context: Context, merge: Merge): Promise<void> {
  try {
    await queueMerge(context, merge);
  } catch (error) {
    if (!(error instanceof ApiError) || error instanceof Overtaken) throw error;
    log.warn('asset not merged', { ...merge, reason: error.message });
  }
}
