import { mergedAssets } from '#shared/assets/asset/merged-asset.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { ordinalsOf, recordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { applicationExclusions } from './application-exclusion.ts';
import { exclusionTimer } from './exclusion-timer.ts';

/**
 * Moves exclusions of assets that are gone: an exclusion names the asset that absorbed its asset, or is deleted with
 * it.
 */
export const moveExclusions = (table: Table, assetIds: readonly string[]): Promise<void> =>
  retry(async () => {
    const where = { asset: [...assetIds] };
    const named = await recordsAt(
      table,
      applicationExclusions,
      await ordinalsOf(table, applicationExclusions, { where }),
    );
    for (const exclusion of named) {
      const merged = await table.find(mergedAssets, exclusion.assetId ?? '', true);
      const assetId = merged?.mergedInto?.assetId;
      const other = `${exclusion.applicationId} ${assetId}`;
      const isTaken =
        assetId && (await table.findUnique(applicationExclusions, { field: 'asset', value: other }, true));
      const batch = table.batch();
      if (assetId && !isTaken) batch.update(applicationExclusions, exclusion, table.changed(exclusion, { assetId }));
      else {
        batch.delete(applicationExclusions, exclusion);
        batch.write(...exclusionTimer(table, exclusion, undefined));
      }
      await batch.commit();
    }
  });
