import { branches } from '#shared/entities/branch.ts';
import { queueEnd } from '#shared/findings/branch-end.ts';
import { findingQuery } from '#shared/findings/filter.ts';
import { getFinding } from '#shared/findings/find.ts';
import { findingHistory } from '#shared/findings/history.ts';
import { lastSeen } from '#shared/findings/last-seen.ts';
import { listFindings } from '#shared/findings/listed.ts';
import { findingView } from '#shared/findings/view.ts';
import type { Handlers } from '#shared/http/route.ts';
import { conflict } from '#shared/runtime/errors.ts';
import { updateBranch } from './branches.ts';
import { commentHandlers } from './comments.ts';
import { createFinding } from './create-finding.ts';
import { deleteManualFinding } from './delete-finding.ts';
import type { findingRoutes } from './routes.ts';
import { updateFinding } from './update-finding.ts';

const MAX_HISTORY = 500;

export const findingHandlers: Handlers<typeof findingRoutes> = {
  listFindings: ({ table, connections, caller, query }) =>
    listFindings({ table, connections }, findingQuery(query, caller)),

  searchFindings: ({ table, connections, caller, query }) =>
    listFindings({ table, connections }, findingQuery(query, caller)),

  createFinding: async ({ connections, table, caller, body }) =>
    findingView(await createFinding({ connections, table, caller, body }), undefined),

  deleteFinding: ({ table, params }) => deleteManualFinding(table, params.id),

  async getFinding({ table, connections, params }) {
    const { finding: stored } = await getFinding(table, params.id);
    return findingView(stored, (await lastSeen(connections.bucket, table, [stored])).get(stored.id));
  },

  async updateFinding({ table, connections, caller, params, body, ifMatch }) {
    const stored = await updateFinding({ connections, table, caller, id: params.id, patch: body, ifMatch });
    return findingView(stored, (await lastSeen(connections.bucket, table, [stored])).get(stored.id));
  },

  ...commentHandlers,

  listBranches: ({ table, query: { assetId, ...page } }) =>
    table.list(branches, { ...page, ...(assetId !== undefined && { where: { asset: assetId } }) }),

  updateBranch: ({ table, params, body, ifMatch }) => updateBranch(table, params.id, { patch: body, ifMatch }),

  async endBranch({ connections, table, params }) {
    const branch = await table.get(branches, params.id, true);
    if (branch.isDefault) throw conflict(`${branch.name} is the default branch: make another one the default first.`);
    return queueEnd(connections, table, { branchId: branch.id, isRemoved: false });
  },

  async listFindingHistory({ table, params }) {
    await getFinding(table, params.id);
    const changes = await table.rows(findingHistory).query(params.id, { limit: MAX_HISTORY, backward: true });
    return changes.map(({ findingId: _findingId, ...change }) => {
      const { reason = null, scanTaskId = null, taskId = null, vulnerabilityIds = [] } = change;
      return { ...change, reason, scanTaskId, taskId, vulnerabilityIds };
    });
  },
};
