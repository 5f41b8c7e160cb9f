import { isDeepStrictEqual } from 'node:util';
import { retry } from '#shared/platform/runtime/retry.ts';
import { recordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assets } from '../asset/asset.ts';
import { placeOf } from '../asset/asset-places.ts';
import { mergeSuggestions, type StoredSuggestion } from './merge-suggestion.ts';

/** Brings suggestions to where their assets are. An asset that is not there any more keeps its place. It may be repeated. */
export const settleSuggestions = (table: Table, ordinals: readonly number[]): Promise<void> =>
  retry(async () => {
    const found = await recordsAt<StoredSuggestion, never>(table, mergeSuggestions, ordinals);
    const ids = [...new Set(found.flatMap(({ assetId, intoId }) => [assetId, intoId]))];
    const places = new Map((await table.findMany(assets, ids, true)).map((asset) => [asset.id, placeOf(asset)]));
    for (const one of found) {
      const { assetPlace, intoPlace } = one;
      const current = {
        assetPlace: places.get(one.assetId) ?? assetPlace,
        intoPlace: places.get(one.intoId) ?? intoPlace,
      };
      if (isDeepStrictEqual(current, { assetPlace, intoPlace })) continue;
      await table.update<StoredSuggestion, never>(mergeSuggestions, one, current);
    }
  });
