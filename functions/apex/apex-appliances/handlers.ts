import { ApexAppliance, apexAppliances } from '#shared/apex/apex-appliance.ts';
import { apexLeases } from '#shared/apex/leases.ts';
import { apexMachines, COMMAND_SECONDS } from '#shared/apex/presence.ts';
import { tellAppliance } from '#shared/apex/stop.ts';
import { listed } from '#shared/platform/http/figures.ts';
import { showEach, showPage } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { statusCounts } from '#shared/platform/http/value-counts.ts';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import { where } from '#shared/platform/table/match.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { deleteHolder } from '#shared/scanning/leases/give-back.ts';
import { MACHINE_STATUSES } from '#shared/scanning/machines/machine.ts';
import { listMachines, showMachine, showMachines, updateMachine } from '#shared/scanning/machines/machines.ts';
import { machineSeenBy } from '#shared/scanning/machines/seen-by.ts';
import type { apexApplianceRoutes } from './routes.ts';

type Command = { type: 'rotate_credential' | 'upgrade'; reason: string };

async function sendCommand(table: Table, id: string, command: Command) {
  await table.get(apexAppliances, id);
  if (!(await tellAppliance(table, id, command))) throw notFound(apexAppliances.name, id);
  return { id, expiresAt: inSeconds(COMMAND_SECONDS) };
}

export const apexApplianceHandlers: Handlers<typeof apexApplianceRoutes> = {
  listAppliances: ({ table, caller, query: { status, ...range } }) =>
    showEach(listMachines(apexMachines, table, { ...range, ...where({ status }) }), (appliance) =>
      machineSeenBy(caller, appliance),
    ),
  searchAppliances: ({ table, caller, query }) =>
    showPage(table.list(apexAppliances, query), async (found) =>
      (await showMachines(apexMachines, table, found)).map((appliance) => machineSeenBy(caller, appliance)),
    ),
  countAppliancesByStatus: async ({ table }) =>
    statusCounts(MACHINE_STATUSES, await table.facets(apexAppliances), (status) =>
      listed('/api/v1/validation-operations/apex', { status: status ?? '' }),
    ),
  stopAllApex: ({ connections, table, caller, body: { reason } }) =>
    queueTask(
      { connections, table },
      {
        operation: 'stop_all_apex',
        job: 'apex',
        unit: 'tasks',
        input: { work: 'stop-all', by: caller.name, ...(reason && { reason }) },
      },
    ),
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
