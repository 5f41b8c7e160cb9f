import { showEach } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { where } from '#shared/platform/table/match.ts';
import { deleteHolder } from '#shared/scanning/leases/give-back.ts';
import { deleteMachine, listMachines, showMachine, updateMachine } from '#shared/scanning/machines/machines.ts';
import { machineSeenBy } from '#shared/scanning/machines/seen-by.ts';
import { integratorMachines } from '#shared/soc/incidents/integrators.ts';
import { responseLeases } from '#shared/soc/incidents/response-actions.ts';
import { Collector } from '#shared/soc/siem/collector.ts';
import { collectorMachines } from '#shared/soc/siem/collectors.ts';
import type { machineRoutes } from './machine-routes.ts';

export const machineHandlers: Handlers<typeof machineRoutes> = {
  listCollectors: ({ table, caller, query: { status, ...range } }) =>
    showEach(listMachines(collectorMachines, table, { ...range, ...where({ status }) }), (one) =>
      machineSeenBy(caller, one),
    ),
  getCollector: async ({ table, caller, params }) =>
    machineSeenBy(caller, await showMachine(collectorMachines, table, params.id)),
  updateCollector: ({ table, params: { id }, body, ifMatch }) =>
    updateMachine(collectorMachines, table, { id, record: Collector, patch: body, ifMatch }),
  deleteCollector: ({ table, params }) => deleteMachine(collectorMachines, table, { id: params.id }),
  listIntegrators: ({ table, caller, query }) =>
    showEach(listMachines(integratorMachines, table, query), (one) => machineSeenBy(caller, one)),
  getIntegrator: async ({ table, caller, params }) =>
    machineSeenBy(caller, await showMachine(integratorMachines, table, params.id)),
  deleteIntegrator: ({ table, params }) => deleteHolder(responseLeases, table, params.id),
};
