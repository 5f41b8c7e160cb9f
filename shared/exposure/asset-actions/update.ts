import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { AssetView, assetView } from '#shared/assets/asset/view.ts';
import { personOf } from '#shared/findings/triage/people.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { concerning, newAssetChangeTask } from './asset-change.ts';

type Within = Context & { caller: Pick<Caller, 'id' | 'name'> };
type Change = { id: string; patch: object; ifMatch: string | undefined };

/** Changes an asset, and queues the task that brings its findings to what policies and rules say of it now. */
export const updateAsset = (within: Within, { id, patch, ifMatch }: Change): Promise<Asset> =>
  retry(async () => {
    const { connections, table } = within;
    const { current, changes, next } = await changedAsset(within, { id, patch, ifMatch });
    if (!changes) return current;
    const change = { before: current, changes };
    const concerns = await concerning(table, [change]);
    if (!concerns(change)) return table.update(assets, current, changes);
    const queued = newAssetChangeTask(table, [id]);
    await queueNewTask({ connections, table }, queued, (own) => own.update(assets, current, next));
    return next;
  });

/** An asset as a request would leave it. @throws validation_failed */
export async function changedAsset(
  { table, caller }: Pick<Within, 'table' | 'caller'>,
  { id, patch, ifMatch }: Change,
) {
  const current = await table.get(assets, id, true);
  assertStays(current, patch);
  const { links: _lists, ...view } = await assetView(table, current);
  const changes: Partial<Asset> | undefined = mergePatch(AssetView, view, { patch, ifMatch });
  if (changes?.ownerId) await personOf(table, caller, { path: 'ownerId', id: changes.ownerId });
  return { current, changes, next: changes ? table.changed<Asset, never>(current, changes) : current };
}

/** `status` follows from the last sighting, but a caller who sets it to retired means to retire the asset. */
function assertStays({ retiredAt }: Asset, patch: object): void {
  if (Reflect.get(patch, 'status') === 'retired' && !retiredAt)
    throw invalid('status', 'cannot be set: retire the asset with POST /api/v1/assets/{id}/retire');
}
