import type { ApexTask } from '../entities/apex-task.ts';
import { deleteMachine } from '../machines/machine.ts';
import type { Table } from '../table/table.ts';
import { giveBackLeases } from './give-back.ts';
import { apexMachines, readApexPresence } from './presence.ts';
import { settleTasks } from './settle.ts';

const REMOVED = { code: 'appliance_removed', message: 'Its appliance was removed while the task ran.' };

/** The record, its credential and its leases end together; what it held waits for another appliance. */
export async function deleteAppliance(table: Table, id: string): Promise<{ id: string; deletedAt: string }> {
  let returned: ApexTask[] = [];
  const deleted = await deleteMachine(apexMachines, table, {
    id,
    also: async (batch) => {
      const presence = await readApexPresence(table, id);
      if (!presence) return;
      const all = { isEnding: () => true, error: REMOVED };
      returned = (await giveBackLeases({ table, batch }, presence, all)).tasks;
    },
  });
  await settleTasks(table, returned);
  return deleted;
}
