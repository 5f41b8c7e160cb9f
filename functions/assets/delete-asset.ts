import { assets } from '#shared/entities/asset.ts';
import { newManyTask } from '#shared/findings/many/queue.ts';
import { queueNewTask } from '#shared/jobs/outbox.ts';
import type { QueuedResponse } from '#shared/jobs/task.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { conflict } from '#shared/runtime/errors.ts';
import { retry } from '#shared/runtime/retry.ts';
import type { Table } from '#shared/table/table.ts';

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
