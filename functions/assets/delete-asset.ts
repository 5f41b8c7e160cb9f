import { assets } from '#shared/entities/asset.ts';
import { groupOf } from '#shared/findings/many/queue.ts';
import { outboxWrites, sendOutbox } from '#shared/jobs/outbox.ts';
import { newTask, type QueuedResponse, queued } from '#shared/jobs/task.ts';
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
    const task = newTask(table.actor, {
      operation: 'delete_asset',
      job: 'ingest',
      unit: 'findings',
      input: { assetId: id },
      resource: { type: 'asset', id },
    });
    const send = { group: groupOf(table) };
    const batch = table.batch();
    batch.delete(assets, asset);
    batch.write(...outboxWrites(table, task, send));
    await batch.commit();
    await sendOutbox(connections, table, { task, send });
    return queued(task);
  });
