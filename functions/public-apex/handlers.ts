import { deleteAppliance } from '#shared/apex/delete-appliance.ts';
import { listAppliances, showAppliance, updateAppliance } from '#shared/apex/show.ts';
import { apexAppliances } from '#shared/entities/apex-appliance.ts';
import type { Handlers } from '#shared/http/route.ts';
import type { publicApexRoutes } from './routes.ts';

export const publicApexHandlers: Handlers<typeof publicApexRoutes> = {
  listPublicAppliances: ({ table, query }) => listAppliances(table, query),
  getPublicAppliance: async ({ table, params }) => showAppliance(table, await table.get(apexAppliances, params.id)),
  updatePublicAppliance: ({ table, params, body, request }) =>
    updateAppliance(table, { id: params.id, patch: body, ifMatch: request.headers['if-match'] }),
  deletePublicAppliance: ({ table, params }) => deleteAppliance(table, params.id),
};
