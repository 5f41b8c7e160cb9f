import { type ApexTask, apexTasks } from '../entities/apex-task.ts';
import type { Batch } from '../table/batch.ts';
import type { Table } from '../table/table.ts';
import { giveBack } from './moves.ts';
import type { ApexLease, ApexPresence } from './presence.ts';

type Ending = { isEnding: (lease: ApexLease) => boolean; error: { code: string; message: string } };

/**
 * Puts the end of an appliance's leases into a batch: its tasks wait again, or fail when their attempts are used up.
 * The presence must be written with it, without them; `settleTasks` must follow.
 */
export async function giveBackLeases(
  { table, batch }: { table: Table; batch: Batch },
  presence: ApexPresence,
  { isEnding, error }: Ending,
): Promise<{ tasks: ApexTask[]; leases: Record<string, ApexLease> }> {
  const isOver = ([, lease]: [string, ApexLease]) => isEnding(lease);
  const ids = Object.entries(presence.leases)
    .filter(isOver)
    .map(([taskId]) => taskId);
  const found = await Promise.all(ids.map((id) => table.find(apexTasks, id, true)));
  const held = found.flatMap((task) =>
    task?.status === 'running' && task.appliance?.id === presence.machineId ? [task] : [],
  );
  const tasks = held.map((task) => giveBack({ table, batch }, task, { error }));
  const leases = Object.fromEntries(Object.entries(presence.leases).filter((entry) => !isOver(entry)));
  return { tasks, leases };
}
