import { isFinal } from '#shared/platform/runtime/state-machine.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { settleIfOver } from '../engagement-tasks/settle.ts';
import type { LeaseRules } from '../leases/rules.ts';
import { finish, giveBack } from '../scanner-tasks/moves.ts';
import { offerReturned } from '../scanner-tasks/offer-returned.ts';
import { engagementIdsOf, type ScannerTask, scannerTaskStates, scannerTasks } from '../scanner-tasks/scanner-task.ts';
import type { Scanner } from '../scanners/scanner.ts';
import { type ScannerPresence, scannerMachines } from './presence.ts';

export type ScannerTypes = { machine: Scanner; presence: ScannerPresence; task: ScannerTask; detail: never };

export const scannerLeases: LeaseRules<ScannerTypes> = {
  machines: scannerMachines,
  tasks: scannerTasks,
  machineName: 'scanner',
  machineOf: ({ scanner }) => scanner,
  cancel: (step, task, error) => finish(step, task, { verb: 'cancel', ...(error && { error }) }),
  giveBack: async (step, tasks, { error }) => giveBack(step, tasks, error),
  settle: settleTasks,
};

/** Offers returned tasks in an open window, and ends an engagement whose last task has ended. */
async function settleTasks(owner: Table, tasks: readonly ScannerTask[]): Promise<void> {
  await offerReturned(owner, tasks);
  const ended = tasks.filter(({ status }) => isFinal(scannerTaskStates, status));
  await Promise.all(engagementIdsOf(ended).map((id) => settleIfOver(owner, id)));
}
