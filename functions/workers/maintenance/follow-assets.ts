import { type Asset, tagsOf } from '#shared/assets/asset/asset.ts';
import { newAssetChangeTask } from '#shared/exposure/asset-actions/asset-change.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import type { Context } from '#shared/platform/table/context.ts';

/** Assets of one task. */
const TOGETHER = 100;

/**
 * Findings of releases before 2.0 have no tags and owners of their assets. Queues the tasks that bring the findings of these
 * assets to them.
 */
export async function followAssets(context: Context, found: readonly Asset[]): Promise<void> {
  const wanted = found.filter((asset) => asset.ownerId || tagsOf(asset).length > 0).map(({ id }) => id);
  for (const ids of chunksOf(wanted, TOGETHER)) await queueNewTask(context, newAssetChangeTask(context.table, ids));
}
