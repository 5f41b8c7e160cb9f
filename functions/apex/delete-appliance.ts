import { giveBackLeases } from '#shared/apex/give-back.ts';
import { apexMachines, readApexPresence } from '#shared/apex/presence.ts';
import { settleTasks } from '#shared/apex/settle.ts';
import type { ApexTask } from '#shared/entities/apex-task.ts';
import { deleteMachine } from '#shared/machines/machine.ts';
import type { Table } from '#shared/table/table.ts';

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
