import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type Asset, assets, MAX_ALIASES } from '#shared/assets/asset/asset.ts';
import { mergedAssets } from '#shared/assets/asset/merged-asset.ts';
import { withInventoryOf } from '#shared/assets/inventory/merged.ts';
import { newManyTask } from '#shared/findings/bulk/queue.ts';
import { undoable } from '#shared/findings/bulk/undo-rows.ts';
import { queueNewTask, sendOutbox } from '#shared/platform/jobs/outbox.ts';
import type { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict, invalid } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { LinkedAgent } from '#shared/scanning/agents/agent.ts';
import { agentOn, moveAgent } from './agent.ts';
import { followChange } from './asset-change.ts';
import { assetHistoryWrite } from './asset-history.ts';
import { namesOf, unionOf } from './union.ts';

export const Merge = z.object({ assetId: z.uuid(), intoId: z.uuid() });
export type Merge = z.infer<typeof Merge>;

/**
 * `because`: the reason of the merge, from a rule or a person's answer to a suggestion. `also`: further writes with the
 * merge.
 */
type More = { because?: string; also?: (batch: Batch, taskId: string) => void };

/**
 * Merges an asset into another asset, which takes over all of its names, and queues the move of its findings, in one
 * transaction: from then on reports and its agent find the other asset. Keeps a copy of the merged asset, so that the
 * merge can be undone.
 * @throws not_found, validation_failed, conflict
 */
export const queueMerge = (
  { connections, table }: Context,
  merge: Merge,
  { because = '', also = () => undefined }: More = {},
): Promise<QueuedResponse> =>
  retry(async () => {
    const { asset, into } = await assertMergeable(table, merge);
    const owner = { bucket: connections.bucket, organizationId: table.organizationId };
    const [agent, inventory] = [await agentOn(table, asset), await withInventoryOf(owner, { asset, into, at: now() })];
    const resource = { type: 'asset', id: into.id };
    // the request sees both assets, and their findings may be in rows that no part has
    const queued = newManyTask(table, { operation: 'merge_assets', input: merge, resource, reachesAll: true });
    let following: ReturnType<typeof followChange>;
    const answer = await queueNewTask({ connections, table }, queued, (batch) => {
      const next = mergeInto({ table, batch, taskId: queued.task.id }, { asset, into, agent, inventory, because });
      also(batch, queued.task.id);
      following = followChange(table, batch, { before: into, next });
    });
    if (following) await sendOutbox({ connections, table }, following);
    return answer;
  });

/** The two assets of a merge. @throws not_found, validation_failed, conflict */
export async function assertMergeable(
  table: Table,
  { assetId, intoId }: Merge,
): Promise<{ asset: Asset; into: Asset }> {
  if (assetId === intoId) throw invalid('intoId', 'must be the id of another asset');
  const [asset, into] = await Promise.all([table.get(assets, assetId, true), table.get(assets, intoId, true)]);
  const obstacle = obstacleTo(asset, into);
  if (obstacle) throw conflict(obstacle);
  return { asset, into };
}

/** The reason why an asset cannot be merged into another. */
export function obstacleTo(asset: Asset, into: Asset): string | undefined {
  const retired = [asset, into].find(({ retiredAt }) => retiredAt);
  if (retired) return `The asset ${retired.id} is retired: it can be merged when something sees it again.`;
  if (asset.agentId != null && into.agentId != null)
    return `The agents ${asset.agentId} and ${into.agentId} report on the two assets: delete one of them first.`;
  const count = namesOf(asset).length + (into.aliases ?? []).length;
  return count > MAX_ALIASES ? `The assets have ${count} other names, and one has at most ${MAX_ALIASES}.` : undefined;
}

type Merging = { table: Table; batch: Batch; taskId: string };
type Merged = { asset: Asset; into: Asset; agent: LinkedAgent | undefined; inventory: Partial<Asset>; because: string };

function mergeInto({ table, batch, taskId }: Merging, { asset, into, agent, inventory, because }: Merged): Asset {
  const at = now();
  const changes = { ...unionOf(asset, into), ...(inventory.os && { os: inventory.os }) };
  const mergedInto = { assetId: into.id, taskId, at };
  batch.delete(assets, asset);
  const aside = batch.create(mergedAssets, table.changed<Asset, never>(asset, { mergedInto }));
  const next = batch.update(assets, into, table.changed<Asset, never>(into, { ...inventory, ...changes }));
  if (agent) moveAgent({ table, batch }, agent, into.id);
  const { from, to } = undoable(into, changes);
  const history = { at, by: table.actor, taskId };
  const differences = Object.keys(to)
    .filter((name) => !isDeepStrictEqual(from[name], to[name]))
    .map((name) => [name, { from: from[name], to: to[name] }]);
  batch.write(
    assetHistoryWrite(table, {
      ...history,
      assetId: into.id,
      version: next.version,
      changes: Object.fromEntries(differences),
      reason: reasonOf(`The asset ${asset.id} was merged into it.`, because),
    }),
    assetHistoryWrite(table, {
      ...history,
      assetId: asset.id,
      version: aside.version,
      changes: { mergedInto: { from: null, to: mergedInto } },
      reason: reasonOf(`It was merged into the asset ${into.id}.`, because),
    }),
  );
  return next;
}

const reasonOf = (done: string, because: string): string => (because ? `${done} ${because}` : done);
