import type { Asset } from '#shared/assets/asset/asset.ts';
import { imageName } from '#shared/assets/targets/image.ts';
import { renameAsset } from '#shared/exposure/asset-actions/rename.ts';
import type { Context } from '#shared/platform/table/context.ts';

/**
 * Releases before 2.0 made an asset of each tag and digest of a container image. Gives such assets the name of the image, so that all
 * of an image become one asset with their findings; the former names are its aliases.
 */
export async function nameImages(context: Context, found: readonly Asset[]): Promise<void> {
  for (const { id, type, value } of found)
    if (type === 'container_image' && imageName(value) !== value)
      await renameAsset(context, id, (asset) => ({ ...asset, value: imageName(asset.value) }));
}
