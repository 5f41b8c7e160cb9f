import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { imageName } from '#shared/assets/targets/image.ts';
import { renameAsset } from '#shared/exposure/asset-actions/rename.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { keysOf } from '#shared/platform/table/layout/keys.ts';
import { listItemOf } from '#shared/platform/table/layout/record.ts';
import { recordsAfter } from '#shared/platform/table/upkeep/walk.ts';

/**
 * Releases before 2.0 made an asset of each tag and digest of a container image. Gives such assets the name of the image, so that all
 * of an image become one asset with their findings; the former names are its aliases.
 */
export async function nameImages(context: Context, some: { afterOrdinal: number; limit: number }): Promise<void> {
  const { dynamo, tenant } = context.table;
  const { rows } = await recordsAfter(dynamo, keysOf(tenant, assets), some);
  for (const { id, type, value } of rows.map((row) => listItemOf<Asset, never>(row)))
    if (type === 'container_image' && imageName(value) !== value)
      await renameAsset(context, id, (asset) => ({ ...asset, value: imageName(asset.value) }));
}
