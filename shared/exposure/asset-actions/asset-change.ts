import { isDeepStrictEqual } from 'node:util';
import { type Asset, assetFields } from '#shared/assets/asset/asset.ts';
import { applicationsOf } from '#shared/assets/asset/asset-link.ts';
import { newManyTask } from '#shared/findings/bulk/queue.ts';
import { readPolicies } from '#shared/findings/sla/sla-policies.ts';
import { readRules } from '#shared/findings/suppression/stored.ts';
import type { TaskRow } from '#shared/platform/jobs/task.ts';
import type { SendOptions } from '#shared/platform/runtime/queues.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import { fieldsWhere } from '#shared/platform/table/field-table.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Whether a policy or a suppression rule uses the tags, or any other field of assets. */
async function asked(table: Table): Promise<'nothing' | 'tags' | 'all'> {
  const [{ exceptions }, rules] = await Promise.all([readPolicies(table), readRules(table)]);
  const asking = rules.filter(({ asksAsset }) => asksAsset);
  if (asking.some(({ filter }) => filter != null) || exceptions.some(({ filter }) => filter != null)) return 'all';
  return exceptions.length > 0 || asking.length > 0 ? 'tags' : 'nothing';
}

/** Fields that filters of rules read. */
const READ = new Set<string>(fieldsWhere(assetFields, 'rules', true));

type Change = { before: Pick<Asset, 'links' | 'ruleLinks'>; changes: Partial<Asset> };

/**
 * Selects the changes of assets that concern findings: changes of applications, and of fields that the priority, a
 * policy or a rule uses.
 */
export async function concerning(table: Table, all: readonly Change[]): Promise<(change: Change) => boolean> {
  const isTagged = ({ changes }: Change) => 'tags' in changes || 'ruleTags' in changes;
  const isRead = ({ changes }: Change) => Object.keys(changes).some((name) => READ.has(name));
  const fields = all.some(isRead) ? await asked(table) : 'nothing';
  const isAsked = fields === 'all' ? isRead : (change: Change) => fields === 'tags' && isTagged(change);
  return (change) => {
    const { criticality, internetExposed } = change.changes;
    return criticality !== undefined || internetExposed !== undefined || isAsked(change) || isMoved(change);
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
