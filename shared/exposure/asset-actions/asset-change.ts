import { isDeepStrictEqual } from 'node:util';
import { type Asset, assetFields } from '#shared/assets/asset/asset.ts';
import { applicationsOf } from '#shared/assets/asset/asset-link.ts';
import { newManyTask } from '#shared/findings/bulk/queue.ts';
import { readPolicies } from '#shared/findings/sla/sla-policies.ts';
import { readRules } from '#shared/findings/suppression/stored.ts';
import { outboxWrites } from '#shared/platform/jobs/outbox.ts';
import type { TaskRow } from '#shared/platform/jobs/task.ts';
import type { SendOptions } from '#shared/platform/runtime/queues.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { fieldsWhere } from '#shared/platform/table/field-table.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Whether the filter of a policy or a suppression rule reads assets. */
async function asksAssets(table: Table): Promise<boolean> {
  const [{ exceptions }, rules] = await Promise.all([readPolicies(table), readRules(table)]);
  return (
    rules.some(({ asksAsset, filter }) => asksAsset && filter != null) ||
    exceptions.some(({ filter }) => filter != null)
  );
}

/** Fields that filters of rules read. */
const READ = new Set<string>(fieldsWhere(assetFields, 'rules', true));

type Change = { before: Pick<Asset, 'links' | 'ruleLinks'>; changes: Partial<Asset> };

/** Selects the changes of assets that concern findings: of fields that findings have (`fromAsset`), and of those that a rule reads. */
export async function concerning(table: Table, all: readonly Change[]): Promise<(change: Change) => boolean> {
  const isRead = ({ changes }: Change) => Object.keys(changes).some((name) => READ.has(name));
  const asked = all.some(isRead) && (await asksAssets(table));
  return (change) => isFollowed(change) || (asked && isRead(change));
}

const FOLLOWED = ['criticality', 'internetExposed', 'tags', 'ruleTags', 'ownerId'] as const;

const isFollowed = (change: Change): boolean => FOLLOWED.some((name) => name in change.changes) || isMoved(change);

const isMoved = ({ before, changes }: Change): boolean =>
  !isDeepStrictEqual(applicationsOf(before), applicationsOf({ ...before, ...changes }));

/** Queues, in the transaction of the change, the task for the findings of an asset that a merge or its undo changed. */
export function followChange(table: Table, batch: Batch, { before, next }: { before: Asset; next: Asset }) {
  const differing = Object.entries(next).filter(
    ([name, value]) => !isDeepStrictEqual(Reflect.get(before, name), value),
  );
  if (!isFollowed({ before, changes: Object.fromEntries(differing) })) return undefined;
  const queued = newAssetChangeTask(table, [before.id]);
  batch.write(...outboxWrites(table, queued.task, queued.send));
  return queued;
}

/** A system task that updates the findings of assets to their current assets. */
export function newAssetChangeTask(table: Table, assetIds: readonly string[]): { task: TaskRow; send: SendOptions } {
  const [id] = assetIds;
  const resource = id !== undefined && assetIds.length === 1 && { type: 'asset', id };
  const request = { operation: 'apply_asset_change', input: { assetIds }, reachesAll: true } as const;
  return newManyTask({ ...table, actor: systemActor }, { ...request, ...(resource && { resource }) });
}
