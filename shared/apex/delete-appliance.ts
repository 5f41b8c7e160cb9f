import type { Deletion } from '../http/records.ts';
import { deleteMachine } from '../machines/machine.ts';
import { PresenceMoved } from '../machines/session.ts';
import type { Table } from '../table/table.ts';
import { giveBackLeases } from './give-back.ts';
import { apexMachines, readApexPresence } from './presence.ts';

const REMOVED = { code: 'appliance_removed', message: 'Its appliance was removed while the task ran.' };

/** What it holds waits for another appliance; then the record and its credential end together. */
export const deleteAppliance = (table: Table, id: string): Promise<Deletion> =>
  deleteMachine(apexMachines, table, {
    id,
    also: async () => {
      const presence = await readApexPresence(table, id);
      if (!presence || Object.keys(presence.leases).length === 0) return;
      await giveBackLeases(table, presence, { isEnding: () => true, error: REMOVED });
      // its presence is another now: what is deleted must be read anew
      throw new PresenceMoved();
    },
  });
