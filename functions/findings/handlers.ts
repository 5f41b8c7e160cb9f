import { findings } from '#shared/entities/finding.ts';
import { findingHistory } from '#shared/findings/history.ts';
import { lastSeen, lastSeenWith, usualStateKeys } from '#shared/findings/last-seen.ts';
import { type FindingRow, findingListItem, findingView } from '#shared/findings/view.ts';
import type { Handlers } from '#shared/http/route.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import type { Table } from '#shared/table/table.ts';
import { findingQuery } from './query.ts';
import type { findingRoutes } from './routes.ts';
import { updateFinding } from './update-finding.ts';

type Source = { table: Table; connections: Connections };

const MAX_HISTORY = 500;

export const findingHandlers: Handlers<typeof findingRoutes> = {
  listFindings: ({ table, connections, caller, query }) =>
    listed({ table, connections }, table.list(findings, findingQuery(query, caller))),

  searchFindings: ({ table, connections, caller, query }) =>
    listed({ table, connections }, table.list(findings, findingQuery(query, caller))),

  async getFinding({ table, connections, params }) {
    const stored = await table.get(findings, params.id);
    return findingView(stored, (await lastSeen(connections.bucket, table, [stored])).get(stored.id));
  },

  async updateFinding({ table, connections, caller, params, body, ifMatch }) {
    const stored = await updateFinding({ table, caller, id: params.id, patch: body, ifMatch });
    return findingView(stored, (await lastSeen(connections.bucket, table, [stored])).get(stored.id));
  },

  async listFindingHistory({ table, params }) {
    await table.get(findings, params.id);
    const changes = await table.rows(findingHistory).query(params.id, { limit: MAX_HISTORY, backward: true });
    return changes.map(({ findingId: _findingId, reason = null, scanTaskId = null, ...change }) => {
      return { ...change, reason, scanTaskId };
    });
  },
};

async function listed<P extends { data: FindingRow[] }>({ table, connections }: Source, read: Promise<P>) {
  const [page, known] = await Promise.all([read, usualStateKeys(table)]);
  const seen = await lastSeenWith({ bucket: connections.bucket, table, known }, page.data);
  return { ...page, data: page.data.map((row) => findingListItem(row, seen.get(row.id))) };
}
