import { now } from '#shared/platform/runtime/clock.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { readMachinePresence } from '../machines/machines.ts';
import { savePresence } from '../machines/save-presence.ts';
import { TaskTaken } from '../scanner-tasks/queue.ts';
import { holderOf } from '../scanner-tasks/shared-lease.ts';
import { withLease } from './lease.ts';
import type { Failure, HolderRules, LeaseTypes } from './rules.ts';

type CancelRequest<K extends LeaseTypes> = {
  id: string;
  error?: Failure | null;
  /** @throws when the task, as it stands then, must not be cancelled */
  allow?: (task: K['task']) => void;
};

/**
 * Cancels a task: at once while it waits. A running one goes on until its machine, which hears of it with its next call,
 * confirms. The caller settles the task.
 * @throws not_found, conflict when the task has ended
 */
export const cancelLeasable = <K extends LeaseTypes>(
  rules: HolderRules<K>,
  table: Table,
  { id, error = null, allow }: CancelRequest<K>,
): Promise<K['task']> =>
  retry(async () => {
    const task = await table.get(rules.tasks, id, true);
    allow?.(task);
    if (task.status === 'running') return askHolder(rules, table, { task, reason: error?.code ?? 'cancelled' });
    return table.commit((batch) => rules.cancel({ table, batch }, task, error));
  });

/** Asks the machine that works on a task to stop; harmless to repeat. @throws TaskTaken when the task has left it */
export async function askHolder<K extends LeaseTypes>(
  { machines, machineOf, tasks }: HolderRules<K>,
  table: Table,
  { task, reason }: { task: K['task']; reason: string },
): Promise<K['task']> {
  if (task.cancelRequestedAt) return task;
  const holder = holderOf(table, task);
  const machine = machineOf(task);
  const before = machine ? await readMachinePresence(machines, holder, machine.id) : undefined;
  if (!before?.leases[task.id]) throw new TaskTaken();
  const batch = table.batch();
  const changes = { cancelRequestedAt: now() } as Partial<K['task']>;
  const asked = batch.update(tasks, task, table.changed(task, changes));
  await savePresence(machines, holder, { before, after: withLease(before, task.id, { cancel: reason }), batch });
  return asked;
}
