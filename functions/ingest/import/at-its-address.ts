import { assetKey, assets } from '#shared/assets/asset/asset.ts';
import { isShortFor } from '#shared/assets/targets/repository.ts';
import type { Submission } from '#shared/ingest/submission.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** A repository that a CI job names without its host has the address of the asset that is known by this name. */
export async function atItsAddress(table: Table, scan: Submission): Promise<Submission> {
  const { target, zone = null } = scan;
  if (target?.type !== 'repository' || target.value.includes('://')) return scan;
  const identity = assetKey({ type: 'repository', value: target.value, zone });
  const asset = await table.findUnique(assets, { field: 'identity', value: identity }, true);
  const isKnown = asset?.type === 'repository' && isShortFor(target.value, asset.value);
  return isKnown ? { ...scan, target: { type: 'repository', value: asset.value } } : scan;
}
