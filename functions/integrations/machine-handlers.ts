import { Collector } from '#shared/entities/collector.ts';
import { showEach } from '#shared/http/pagination.ts';
import type { Handlers } from '#shared/http/route.ts';
import { deleteHolder } from '#shared/leases/give-back.ts';
import { deleteMachine, listMachines, showMachine, updateMachine } from '#shared/machines/machine.ts';
import { machineSeenBy } from '#shared/machines/seen-by.ts';
import { collectorMachines } from '#shared/siem/collectors.ts';
import { integratorMachines } from '#shared/soc/integrators.ts';
import { responseLeases } from '#shared/soc/response-actions.ts';
import type { machineRoutes } from './machine-routes.ts';

export const machineHandlers: Handlers<typeof machineRoutes> = {
  listCollectors: ({ table, caller, query }) =>
    showEach(listMachines(collectorMachines, table, query), (one) => machineSeenBy(caller, one)),
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
