import * as z from 'zod';
import { assetBits, present } from '#shared/assets/conditions/narrow.ts';
import { KeptFilter } from '#shared/platform/filter/schema.ts';
import { newTask, type TaskRow } from '#shared/platform/jobs/task.ts';
import type { SendOptions } from '#shared/platform/runtime/queues.ts';
import type { Bits } from '#shared/platform/table/layout/bits.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { viewsGroup } from '#shared/platform/views/wake.ts';
import { conditionCompiler } from './condition.ts';

/**
 * The assets that a change of rules may concern: those that matched them or belong to their applications, and those
 * that may match their conditions. `removed`: an application whose rules and exclusions are removed first;
 * `restored`: one whose rules, exclusions and links are made again.
 */
export const Concerned = z.object({
  ruleIds: z.array(z.uuid()),
  conditions: z.array(KeptFilter),
  applicationIds: z.array(z.uuid()).default([]),
  removed: z.uuid().optional(),
  restored: z.uuid().optional(),
});
type Concerned = z.infer<typeof Concerned>;

/**
 * A task that brings assets to the rules after a change of rules. Shares the message group with the followers of asset
 * changes.
 */
export function newRulesTask(
  table: Table,
  input: z.input<typeof Concerned>,
  resource: { type: string; id: string },
): { task: TaskRow; send: SendOptions } {
  const task = newTask(table.actor, { operation: 'apply_asset_rules', job: 'views', unit: 'assets', input, resource });
  return { task, send: { group: viewsGroup(table) } };
}

export async function concernedBits(table: Table, concerned: Concerned): Promise<Bits> {
  const { ruleIds, conditions, applicationIds } = concerned;
  const compile = await conditionCompiler(false);
  return assetBits(table, {
    any: [
      { name: 'rule', values: [...ruleIds, ...applicationIds] },
      { name: 'application', values: applicationIds },
      { name: 'excluded', values: applicationIds },
      present({ any: conditions.map((condition) => compile(condition).within) }),
    ],
  });
}
