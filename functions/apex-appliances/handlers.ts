import { apexLeases } from '#shared/apex/leases.ts';
import { apexMachines, COMMAND_SECONDS } from '#shared/apex/presence.ts';
import { tellAppliance } from '#shared/apex/stop.ts';
import { ApexAppliance, apexAppliances } from '#shared/entities/apex-appliance.ts';
import { MACHINE_STATUSES } from '#shared/entities/machine.ts';
import { showEach, showPage } from '#shared/http/pagination.ts';
import type { Handlers } from '#shared/http/route.ts';
import { valueCounts } from '#shared/http/value-counts.ts';
import { queueTask } from '#shared/jobs/outbox.ts';
import { deleteHolder } from '#shared/leases/give-back.ts';
import { listMachines, showMachine, showMachines, updateMachine } from '#shared/machines/machine.ts';
import { machineSeenBy } from '#shared/machines/seen-by.ts';
import { inSeconds } from '#shared/runtime/clock.ts';
import { notFound } from '#shared/runtime/errors.ts';
import type { Table } from '#shared/table/table.ts';
import type { apexApplianceRoutes } from './routes.ts';

type Command = { type: 'rotate_credential' | 'upgrade'; reason: string };

async function sendCommand(table: Table, id: string, command: Command) {
  await table.get(apexAppliances, id);
  if (!(await tellAppliance(table, id, command))) throw notFound(apexAppliances.name, id);
  return { id, expiresAt: inSeconds(COMMAND_SECONDS) };
}

export const apexApplianceHandlers: Handlers<typeof apexApplianceRoutes> = {
  listAppliances: ({ table, caller, query }) =>
    showEach(listMachines(apexMachines, table, query), (appliance) => machineSeenBy(caller, appliance)),
  searchAppliances: ({ table, caller, query }) =>
    showPage(table.list(apexAppliances, query), async (found) =>
      (await showMachines(apexMachines, table, found)).map((appliance) => machineSeenBy(caller, appliance)),
    ),
  countAppliancesByStatus: async ({ table }) =>
    valueCounts(MACHINE_STATUSES, await table.facets(apexAppliances), 'status'),
  stopAllApex: ({ connections, table, caller, body: { reason } }) =>
    queueTask(connections, table, {
      operation: 'stop_all_apex',
      job: 'apex',
      unit: 'tasks',
      input: { work: 'stop-all', by: caller.name, ...(reason && { reason }) },
    }),
  getAppliance: async ({ table, caller, params }) =>
    machineSeenBy(caller, await showMachine(apexMachines, table, params.id)),
  updateAppliance: ({ table, params: { id }, body, ifMatch }) =>
    updateMachine(apexMachines, table, { id, record: ApexAppliance, patch: body, ifMatch }),
  deleteAppliance: ({ table, params }) => deleteHolder(apexLeases, table, params.id),
  rotateApplianceCredential: ({ table, params, body }) =>
    sendCommand(table, params.id, { type: 'rotate_credential', reason: body.reason }),
  upgradeAppliance: ({ table, params, body }) =>
    sendCommand(table, params.id, { type: 'upgrade', reason: body.reason }),
};
