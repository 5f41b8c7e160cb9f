import type { Asset } from '../entities/asset.ts';
import type { TaskRow } from '../jobs/task.ts';
import type { SendOptions } from '../runtime/queues.ts';
import { systemActor } from '../table/actor.ts';
import type { Table } from '../table/table.ts';
import { newManyTask } from './many/queue.ts';
import { readRules } from './rules/stored.ts';
import { readPolicies } from './sla-policies.ts';

/** Whether a policy or a suppression rule asks for the tags of assets. */
async function asksTags(table: Table): Promise<boolean> {
  const [{ exceptions }, rules] = await Promise.all([readPolicies(table), readRules(table)]);
  return exceptions.length > 0 || rules.some(({ conditions }) => conditions.assetTag !== undefined);
}

/** Tells of the changes of assets which of them concern findings: those that the priority, a policy or a rule asks for. */
export async function concerning(
  table: Table,
  all: readonly Partial<Asset>[],
): Promise<(changes: Partial<Asset>) => boolean> {
  const named = (changes: Partial<Asset>) => 'tags' in changes || 'ruleTags' in changes;
  const tagged = all.some(named) && (await asksTags(table));
  return (changes) =>
    changes.criticality !== undefined || changes.internetExposed !== undefined || (tagged && named(changes));
}

/** A task of the system that brings the findings of assets to what they are now. */
export function newAssetChangeTask(table: Table, assetIds: readonly string[]): { task: TaskRow; send: SendOptions } {
  const [id] = assetIds;
  const resource = id !== undefined && assetIds.length === 1 && { type: 'asset', id };
  const request = { operation: 'apply_asset_change', input: { assetIds }, ...(resource && { resource }) } as const;
  return newManyTask({ ...table, actor: systemActor }, request);
}
