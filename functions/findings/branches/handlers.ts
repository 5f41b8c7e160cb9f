import { branches } from '#shared/findings/branches/branch.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { branchNamed, endBranch, updateBranch } from './branches.ts';
import type { branchRoutes } from './routes.ts';

export const branchHandlers: Handlers<typeof branchRoutes> = {
  listBranches: ({ table, query: { assetId, ...page } }) =>
    table.list(branches, { ...page, ...(assetId !== undefined && { where: { asset: assetId } }) }),

  updateBranch: ({ table, params, body, ifMatch }) => updateBranch(table, params.id, { patch: body, ifMatch }),

  endBranch: async ({ connections, table, params }) =>
    endBranch({ connections, table }, await table.get(branches, params.id, true)),

  endNamedBranch: async ({ connections, table, query }) =>
    endBranch({ connections, table }, await branchNamed(table, query)),
};
