import type { Table } from '#shared/platform/table/table.ts';
import type { LeaseRules, TokenCount } from '#shared/scanning/leases/rules.ts';
import type { ApexTask, TokenUsage } from './apex-task.ts';
import { usageOf } from './budget.ts';
import { type ApexTypes, apexHolders } from './holders.ts';
import { giveBack } from './moves.ts';
import { publicUsage } from './public.ts';
import { settleTasks } from './settle.ts';

export const apexLeases: LeaseRules<ApexTypes> = {
  ...apexHolders,
  machineName: 'appliance',
  async giveBack(step, tasks, { error, usage: said }) {
    const used = async (task: ApexTask) => [task.id, await usageAfter(step.table, task, said)] as const;
    const usages = new Map(await Promise.all(tasks.map(used)));
    step.batch.write(...publicUsage(step.table, tasks, -1));
    return giveBack(step, tasks, { error, usageOf: ({ id, usage }) => usages.get(id) ?? usage });
  },
  settle: settleTasks,
};

/** The tokens that the service's own completions used, else those that an appliance with its own model reports. */
export async function usageAfter(table: Table, { id, usage }: ApexTask, said?: TokenCount): Promise<TokenUsage> {
  const metered = await usageOf(table, { taskId: id });
  if (metered.calls > 0) return metered;
  return said ? { ...metered, ...said } : usage;
}
