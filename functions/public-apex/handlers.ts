import { deleteAppliance } from '#shared/apex/delete-appliance.ts';
import { becomeProvider } from '#shared/apex/public.ts';
import { listAppliances, showAppliance, updateAppliance } from '#shared/apex/show.ts';
import { apexAppliances, PublicApexAppliance } from '#shared/entities/apex-appliance.ts';
import type { Handlers } from '#shared/http/route.ts';
import type { publicApexRoutes } from './routes.ts';

export const publicApexHandlers: Handlers<typeof publicApexRoutes> = {
  listPublicAppliances: ({ table, query }) => listAppliances(table, query),
  getPublicAppliance: async ({ table, params }) => showAppliance(table, await table.get(apexAppliances, params.id)),
  async updatePublicAppliance({ table, params, body, ifMatch }) {
    const { public: isPublic } = await table.get(apexAppliances, params.id);
    // before it takes the first task, so that whoever queues one knows of it
    if (body.public && !isPublic) await becomeProvider(table);
    const change = { id: params.id, patch: body, ifMatch };
    return updateAppliance(table, change, PublicApexAppliance);
  },
  deletePublicAppliance: ({ table, params }) => deleteAppliance(table, params.id),
};
