import { TaskTaken } from '../dispatch/queue.ts';
import { holderOf } from '../dispatch/shared-lease.ts';
import { settleQuietly } from '../engagements/settle.ts';
import { type ScannerTask, scannerTaskStates, scannerTasks } from '../entities/scanner-task.ts';
import { now } from '../runtime/clock.ts';
import { retry } from '../runtime/retry.ts';
import { nextState } from '../runtime/state-machine.ts';
import { finish } from '../scanner-tasks/moves.ts';
import type { Table } from '../table/table.ts';
import { readPresence, savePresence } from './session.ts';

/**
 * @param settle false: the caller settles the engagement, once for many tasks
 * @throws not_found, conflict when the task has ended
 */
export async function cancelTask(table: Table, id: string, { settle = true } = {}): Promise<ScannerTask> {
  const task = await retry(() => cancelNow(table, id));
  if (settle && task.status === 'cancelled') await settleQuietly(table, task.engagementId);
  return task;
}

async function cancelNow(table: Table, id: string): Promise<ScannerTask> {
  const task = await table.get(scannerTasks, id, true);
  nextState(scannerTaskStates, { state: task.status, verb: 'cancel', name: 'scanner task' });
  if (task.cancelRequestedAt) return task;
  if (task.status === 'running') return askScanner(table, task);
  const batch = table.batch();
  const cancelled = finish({ table, batch }, task, { verb: 'cancel' });
  await batch.commit();
  return cancelled;
}

/** The task runs on until its scanner confirms; the scanner hears of it with its next poll. */
async function askScanner(table: Table, task: ScannerTask): Promise<ScannerTask> {
  const holder = holderOf(table, task);
  const before = task.scanner && (await readPresence(holder, task.scanner.id));
  const lease = before?.leases[task.id];
  if (!before || !lease) throw new TaskTaken();
  const batch = table.batch();
  const asked = batch.update(scannerTasks, task, table.changed(task, { cancelRequestedAt: now() }));
  const leases = { ...before.leases, [task.id]: { ...lease, cancel: 'cancelled' } };
  await savePresence(holder, { before, after: { ...before, leases }, batch });
  return asked;
}
