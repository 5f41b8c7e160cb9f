import { now } from '#shared/clock.ts';
import { type ScannerTask, scannerTaskStates, scannerTasks } from '#shared/entities/scanner-task.ts';
import { whileMoving } from '#shared/machines/session.ts';
import { finish } from '#shared/scanning/moves.ts';
import { Taken } from '#shared/scanning/queue.ts';
import { readPresence, savePresence } from '#shared/scanning/session.ts';
import { settleQuietly } from '#shared/scanning/settle.ts';
import { nextState } from '#shared/state-machine.ts';
import type { Table } from '#shared/table/table.ts';

/** @throws not_found, conflict when the task has ended */
export async function cancelTask(table: Table, id: string): Promise<ScannerTask> {
  const task = await whileMoving(() => cancelNow(table, id));
  if (task.status === 'cancelled') await settleQuietly(table, task.engagementId);
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
  const before = task.scanner && (await readPresence(table, task.scanner.id));
  const lease = before?.leases[task.id];
  if (!before || !lease) throw new Taken();
  const batch = table.batch();
  const asked = batch.update(scannerTasks, task, table.changed(task, { cancelRequestedAt: now() }));
  const leases = { ...before.leases, [task.id]: { ...lease, cancel: 'cancelled' } };
  await savePresence(table, { before, after: { ...before, leases }, batch });
  return asked;
}
