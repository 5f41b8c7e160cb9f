import type { Caller } from '#shared/auth/permissions.ts';
import { branches } from '#shared/entities/branch.ts';
import { queueEnd } from '#shared/findings/branch-end.ts';
import { type FindingQuery, findingQuery } from '#shared/findings/filter.ts';
import { collectionOf, getFinding } from '#shared/findings/find.ts';
import { findingHistory } from '#shared/findings/history.ts';
import { lastSeen, lastSeenWith, usualStateKeys } from '#shared/findings/last-seen.ts';
import { type FindingRow, findingListItem, findingView } from '#shared/findings/view.ts';
import type { Handlers } from '#shared/http/route.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { conflict } from '#shared/runtime/errors.ts';
import type { Table } from '#shared/table/table.ts';
import { updateBranch } from './branches.ts';
import { commentHandlers } from './comments.ts';
import { createFinding } from './create-finding.ts';
import { deleteManualFinding } from './delete-finding.ts';
import type { findingRoutes } from './routes.ts';
import { updateFinding } from './update-finding.ts';

type Source = { table: Table; connections: Connections };

const MAX_HISTORY = 500;

export const findingHandlers: Handlers<typeof findingRoutes> = {
  listFindings: ({ table, connections, caller, query }) => listed({ table, connections }, page(table, query, caller)),

  searchFindings: ({ table, connections, caller, query }) => listed({ table, connections }, page(table, query, caller)),

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

async function page(table: Table, query: FindingQuery, caller: Caller) {
  const asked = findingQuery(query, caller);
  return table.list(await collectionOf(table, asked), asked);
}

async function listed<P extends { data: FindingRow[] }>({ table, connections }: Source, read: Promise<P>) {
  const [page, known] = await Promise.all([read, usualStateKeys(table)]);
  const seen = await lastSeenWith({ bucket: connections.bucket, table, known }, page.data);
  return { ...page, data: page.data.map((row) => findingListItem(row, seen.get(row.id))) };
}
