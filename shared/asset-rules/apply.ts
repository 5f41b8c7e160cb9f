import * as z from 'zod';
import { assetBits, narrowed, presentBits } from '../conditions/narrow.ts';
import { StoredCondition } from '../entities/condition.ts';
import { newTask, type TaskRow } from '../jobs/task.ts';
import type { SendOptions } from '../runtime/queues.ts';
import type { Bits } from '../table/layout/bits.ts';
import { either } from '../table/layout/bits.ts';
import type { Table } from '../table/table.ts';
import { viewsGroup } from '../views/wake.ts';

/**
 * The assets that a change of rules may concern: those that met them or belong to their applications, and those that may meet their
 * conditions. `removed`: an application whose rules and exclusions go first.
 */
export const Concerned = z.object({
  ruleIds: z.array(z.uuid()),
  conditions: z.array(StoredCondition),
  applicationIds: z.array(z.uuid()).default([]),
  removed: z.uuid().optional(),
});
type Concerned = z.infer<typeof Concerned>;

/** A task that brings assets to the rules after a change of them. It takes turns with those who follow the changes of assets. */
export function newRulesTask(
  table: Table,
  input: z.input<typeof Concerned>,
  resource: { type: string; id: string },
): { task: TaskRow; send: SendOptions } {
  const task = newTask(table.actor, { operation: 'apply_asset_rules', job: 'views', unit: 'assets', input, resource });
  return { task, send: { group: viewsGroup(table) } };
}

export async function concernedBits(table: Table, { ruleIds, conditions, applicationIds }: Concerned): Promise<Bits> {
  const [held, ...met] = await Promise.all([
    assetBits(table, {
      any: [
        { name: 'rule', values: [...ruleIds, ...applicationIds] },
        { name: 'application', values: applicationIds },
        { name: 'excluded', values: applicationIds },
      ],
    }),
    ...conditions.map((condition) => presentBits(table, narrowed(condition, false).marked)),
  ]);
  return met.reduce(either, held);
}
