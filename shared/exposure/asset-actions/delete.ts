import { assets } from '#shared/assets/asset/asset.ts';
import { newManyTask } from '#shared/findings/bulk/queue.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import type { QueuedResponse } from '#shared/platform/jobs/task.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';

/**
 * Deletes an asset and queues the deletion of its findings, in one transaction. The asset goes first: a report that comes
 * meanwhile makes another asset, whose findings stay.
 * @throws not_found, conflict while an agent reports on it
 */
export const deleteAsset = (connections: Connections, table: Table, id: string): Promise<QueuedResponse> =>
  retry(async () => {
    const asset = await table.get(assets, id, true);
    if (asset.agentId) throw conflict(`The agent ${asset.agentId} reports on this asset: delete the agent first.`);
    const resource = { type: 'asset', id };
    const task = newManyTask(table, { operation: 'delete_asset', input: { assetId: id }, resource });
    return queueNewTask(connections, table, task, (batch) => batch.delete(assets, asset));
  });
