import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { newManyTask } from '#shared/findings/bulk/queue.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import type { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { ListItem } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';

type Detail = (typeof assets.detail)[number];

/** Retires assets, and queues the task that takes their findings out of lists and dashboards, in one transaction. */
export function queueRetirement(
  context: Context,
  some: readonly ListItem<Asset, Detail>[],
  also: (batch: Batch) => void = () => undefined,
): Promise<QueuedResponse> {
  const [first] = some;
  const resource = first && some.length === 1 ? { type: 'asset', id: first.id } : undefined;
  const input = { assetIds: some.map(({ id }) => id) };
  const request = { operation: 'retire_assets', input, reachesAll: true, ...(resource && { resource }) } as const;
  const queued = newManyTask(context.table, request);
  return queueNewTask(context, queued, (batch) => {
    for (const asset of some)
      batch.update<Asset, Detail>(
        assets,
        asset,
        context.table.changed<Asset, Detail>(asset, { retiredAt: laterThan(asset.retiredAt) }),
      );
    also(batch);
  });
}

/**
 * The current time; for an asset that is retired again, a later time than its former one, so that `newReturnTask`
 * distinguishes the two.
 */
function laterThan(retiredAt: string | null | undefined): string {
  const at = now();
  return retiredAt && retiredAt >= at ? new Date(Date.parse(retiredAt) + 1).toISOString() : at;
}

/** The time since which an asset is retired. @throws not_found, conflict */
export async function retiredSince(table: Table, assetId: string): Promise<string> {
  const { retiredAt } = await table.get(assets, assetId, true);
  if (!retiredAt) throw conflict(`The asset ${assetId} is not retired.`);
  return retiredAt;
}

/** The task that brings a retired asset back with its findings; with `retiredAt` only if it was not retired again since. */
export const newReturnTask = (table: Table, assetId: string, retiredAt?: string) =>
  newManyTask(table, {
    operation: 'return_assets',
    input: { assetIds: [assetId], ...(retiredAt && { retiredAt }) },
    resource: { type: 'asset', id: assetId },
    reachesAll: true,
  });
