import { isDeepStrictEqual } from 'node:util';
import type { Asset } from '#shared/assets/asset/asset.ts';
import { applicationsOf } from '#shared/assets/asset/asset-link.ts';
import { newManyTask } from '#shared/findings/bulk/queue.ts';
import { readPolicies } from '#shared/findings/sla/sla-policies.ts';
import { readRules } from '#shared/findings/suppression/stored.ts';
import type { TaskRow } from '#shared/platform/jobs/task.ts';
import type { SendOptions } from '#shared/platform/runtime/queues.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Whether a policy or a suppression rule uses the tags of assets. */
async function asksTags(table: Table): Promise<boolean> {
  const [{ exceptions }, rules] = await Promise.all([readPolicies(table), readRules(table)]);
  return exceptions.length > 0 || rules.some(({ conditions }) => conditions.assetTag !== undefined);
}

type Change = { before: Pick<Asset, 'links' | 'ruleLinks'>; changes: Partial<Asset> };

/**
 * Selects the changes of assets that concern findings: changes of applications, and of fields that the priority, a
 * policy or a rule uses.
 */
export async function concerning(table: Table, all: readonly Change[]): Promise<(change: Change) => boolean> {
  const isTagged = ({ changes }: Change) => 'tags' in changes || 'ruleTags' in changes;
  const asked = all.some(isTagged) && (await asksTags(table));
  return (change) => {
    const { criticality, internetExposed } = change.changes;
    return criticality !== undefined || internetExposed !== undefined || (asked && isTagged(change)) || isMoved(change);
  };
}

const isMoved = ({ before, changes }: Change): boolean =>
  !isDeepStrictEqual(applicationsOf(before), applicationsOf({ ...before, ...changes }));

/** A system task that updates the findings of assets to their current assets. */
export function newAssetChangeTask(table: Table, assetIds: readonly string[]): { task: TaskRow; send: SendOptions } {
  const [id] = assetIds;
  const resource = id !== undefined && assetIds.length === 1 && { type: 'asset', id };
  const request = { operation: 'apply_asset_change', input: { assetIds }, ...(resource && { resource }) } as const;
  return newManyTask({ ...table, actor: systemActor }, request);
}
