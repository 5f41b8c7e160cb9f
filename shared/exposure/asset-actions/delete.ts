import { assets } from '#shared/assets/asset/asset.ts';
import { newManyTask } from '#shared/findings/bulk/queue.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import type { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';

/**
 * Deletes an asset and queues the deletion of its findings, in one transaction. The asset goes first: a report in
 * between makes another asset, whose findings stay.
 * @throws not_found, conflict while an agent reports on it
 */
export const deleteAsset = (context: Context, id: string): Promise<QueuedResponse> =>
  retry(async () => {
    const asset = await context.table.get(assets, id, true);
    if (asset.agentId) throw conflict(`The agent ${asset.agentId} reports on this asset: delete the agent first.`);
    const resource = { type: 'asset', id };
    const request = { operation: 'delete_asset', input: { assetId: id }, resource, reachesAll: true } as const;
    const task = newManyTask(context.table, request);
    return queueNewTask(context, task, (batch) => batch.delete(assets, asset));
  });
