import { apexAppliances, PublicApexAppliance } from '#shared/apex/apex-appliance.ts';
import { apexLeases } from '#shared/apex/leases.ts';
import { apexMachines } from '#shared/apex/presence.ts';
import { becomeProvider } from '#shared/apex/public.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { deleteHolder } from '#shared/scanning/leases/give-back.ts';
import { listMachines, showMachine, updateMachine } from '#shared/scanning/machines/machines.ts';
import type { publicApexRoutes } from './routes.ts';

export const publicApexHandlers: Handlers<typeof publicApexRoutes> = {
  listPublicAppliances: ({ table, query }) => listMachines(apexMachines, table, query),
  getPublicAppliance: ({ table, params }) => showMachine(apexMachines, table, params.id),
  async updatePublicAppliance({ table, params: { id }, body, ifMatch }) {
    const { public: isPublic } = await table.get(apexAppliances, id);
    // before it takes the first task, so that tasks that are queued from now on raise its hint
    if (body.public && !isPublic) await becomeProvider(table);
    return updateMachine(apexMachines, table, { id, record: PublicApexAppliance, patch: body, ifMatch });
  },
  deletePublicAppliance: ({ table, params }) => deleteHolder(apexLeases, table, params.id),
};
