import { type ApexTask, apexTasks, noUsage, type TokenUsage } from '../entities/apex-task.ts';
import type { Table } from '../table/table.ts';
import { inOrganization } from '../table/table.ts';
import { usageOf } from './budget.ts';
import { giveBack } from './moves.ts';
import { type ApexLease, type ApexPresence, saveApexPresence } from './presence.ts';
import { publicUsage } from './public.ts';
import { settleTasks } from './settle.ts';

type Ending = { isEnding: (lease: ApexLease) => boolean; error: { code: string; message: string } };

/**
 * Ends leases of an appliance: its tasks wait again, or fail when their attempts are used up; each organization's in a
 * transaction of its own, after which its runs go on.
 * @returns the presence without them
 * @throws PresenceMoved
 */
export async function giveBackLeases(
  table: Table,
  presence: ApexPresence,
  { isEnding, error }: Ending,
): Promise<ApexPresence> {
  const ending = Object.entries(presence.leases).filter(([, lease]) => isEnding(lease));
  const byOwner = Map.groupBy(ending, ([, { organizationId }]) => organizationId);
  let before = presence;
  for (const [organizationId, leases] of byOwner) {
    const owner = inOrganization(table, organizationId);
    const ids = leases.map(([taskId]) => taskId);
    const { after, returned } = await giveBackTasks(table, before, { owner, ids, error });
    await settleTasks(owner, returned);
    before = after;
  }
  return before;
}

/** Nobody reported what it used; the service's own completions were counted. */
const usedBy = ({ usage }: ApexTask, metered = noUsage): TokenUsage => (metered.calls > 0 ? metered : usage);

type Returning = { owner: Table; ids: readonly string[]; error: Ending['error'] };

async function giveBackTasks(table: Table, before: ApexPresence, { owner, ids, error }: Returning) {
  const found = await Promise.all(ids.map((id) => owner.find(apexTasks, id, true)));
  const held = found.flatMap((task) =>
    task?.status === 'running' && task.appliance?.id === before.machineId ? [task] : [],
  );
  const metered = await Promise.all(held.map(({ id }) => usageOf(owner, { taskId: id })));
  const batch = table.batch();
  const step = { table: owner, batch: batch.within(owner.scope) };
  const returned: ApexTask[] = held.map((task, n) => giveBack(step, task, { error, usage: usedBy(task, metered[n]) }));
  batch.write(...publicUsage(owner, held, -1));
  const leases = Object.fromEntries(Object.entries(before.leases).filter(([taskId]) => !ids.includes(taskId)));
  return { after: await saveApexPresence(table, { before, after: { ...before, leases }, batch }), returned };
}
