import type { Caller } from '../auth/permissions.ts';
import { type Asset, assets } from '../entities/asset.ts';
import { concerning, newAssetChangeTask } from '../findings/asset-change.ts';
import { personOf } from '../findings/people.ts';
import { mergePatch } from '../http/records.ts';
import { queueNewTask } from '../jobs/outbox.ts';
import type { Connections } from '../runtime/connections.ts';
import { invalid } from '../runtime/errors.ts';
import { retry } from '../runtime/retry.ts';
import type { Table } from '../table/table.ts';
import { AssetView, assetView } from './view.ts';

type Within = { connections: Connections; table: Table; caller: Caller };
type Change = { id: string; patch: object; ifMatch: string | undefined };

/** Changes an asset, and queues the task that brings its findings to what policies and rules say of it now. */
export const updateAsset = (within: Within, { id, patch, ifMatch }: Change): Promise<Asset> =>
  retry(async () => {
    const { connections, table, caller } = within;
    const standing = await table.get(assets, id, true);
    assertStays(standing, patch);
    const changes: Partial<Asset> | undefined = mergePatch(AssetView, await assetView(table, standing), {
      patch,
      ifMatch,
    });
    if (!changes) return standing;
    if (changes.ownerId) await personOf(table, caller, { path: 'ownerId', id: changes.ownerId });
    const next = table.changed<Asset, never>(standing, changes);
    const change = { before: standing, changes };
    const concerns = await concerning(table, [change]);
    if (!concerns(change)) return table.update(assets, standing, changes);
    const queued = newAssetChangeTask(table, [id]);
    await queueNewTask(connections, table, queued, (own) => own.update(assets, standing, next));
    return next;
  });

/** `status` follows from the last sighting, but a caller who sets it to retired means to retire the asset. */
function assertStays({ retiredAt }: Asset, patch: object): void {
  if (Reflect.get(patch, 'status') === 'retired' && !retiredAt)
    throw invalid('status', 'cannot be set: retire the asset with POST /api/v1/assets/{id}/retire');
}
