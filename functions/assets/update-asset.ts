import { AssetView, assetView } from '#shared/assets/view.ts';
import type { Caller } from '#shared/auth/permissions.ts';
import { type Asset, assets } from '#shared/entities/asset.ts';
import { concerning, newAssetChangeTask } from '#shared/findings/asset-change.ts';
import { personOf } from '#shared/findings/people.ts';
import { mergePatch } from '#shared/http/records.ts';
import { queueNewTask } from '#shared/jobs/outbox.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { retry } from '#shared/runtime/retry.ts';
import type { Table } from '#shared/table/table.ts';

type Within = { connections: Connections; table: Table; caller: Caller };
type Change = { id: string; patch: object; ifMatch: string | undefined };

/** Changes an asset, and queues the task that brings its findings to what policies and rules say of it now. */
export const updateAsset = (within: Within, { id, patch, ifMatch }: Change): Promise<Asset> =>
  retry(async () => {
    const { connections, table, caller } = within;
    const standing = await table.get(assets, id, true);
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
