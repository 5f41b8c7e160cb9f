import { defineEntityAside } from '#shared/platform/table/entity.ts';
import { assets } from './asset.ts';

/**
 * Assets that were merged into another asset. No list and no counter includes them; undoing the merge brings them back.
 */
export const mergedAssets = {
  ...defineEntityAside(assets, 'merged-asset', {
    indexed: ({ mergedInto }) => ({ mergedInto: mergedInto?.assetId }),
  }),
  // only an asset shows those that were merged into it
  inPart: 'whole' as const,
};
