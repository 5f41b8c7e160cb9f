import { findings } from '#shared/entities/finding.ts';
import { findingHistory } from '#shared/entities/finding-history.ts';
import { type FindingRow, findingListItem, findingView } from '#shared/entities/finding-view.ts';
import { ApiError } from '#shared/http/errors.ts';
import type { Handlers } from '#shared/http/route.ts';
import { lastSeen } from '#shared/ingest/last-seen.ts';
import type { Ports } from '#shared/ports.ts';
import type { Table } from '#shared/table/table.ts';
import type { findingRoutes } from './routes.ts';
import { updateFinding } from './update-finding.ts';

type Source = { table: Table; ports: Ports };

const MAX_HISTORY = 500;

export const findingHandlers: Handlers<typeof findingRoutes> = {
  async listFindings({ table, ports, query: { status, severity, assetId, engagementId, ...paging } }) {
    const parent = parentOf(assetId, engagementId);
    const page = await table.list(findings, { ...paging, parent, filter: { status, severity } });
    return { ...page, data: await asListed({ table, ports }, page.data) };
  },

  async searchFindings({ table, ports, query }) {
    const page = await table.search(findings, query);
    return { ...page, data: await asListed({ table, ports }, page.data) };
  },

  async getFinding({ table, ports, params }) {
    const stored = await table.get(findings, params.id);
    return findingView(stored, (await lastSeen(ports.bucket, table, [stored])).get(stored.id));
  },

  async updateFinding({ table, ports, caller, params, body, request }) {
    const ifMatch = request.headers['if-match'];
    const stored = await updateFinding({ table, caller, id: params.id, patch: body, ifMatch });
    return findingView(stored, (await lastSeen(ports.bucket, table, [stored])).get(stored.id));
  },

  async listFindingHistory({ table, params }) {
    await table.get(findings, params.id);
    const changes = await table.rows(findingHistory).query(params.id, { limit: MAX_HISTORY, backward: true });
    return changes.map(({ findingId: _findingId, reason = null, scanTaskId = null, ...change }) => {
      return { ...change, reason, scanTaskId };
    });
  },
};

function parentOf(assetId: string | undefined, engagementId: string | undefined) {
  if (assetId !== undefined && engagementId !== undefined) {
    const message = 'An asset and an engagement cannot be combined; leave one of them out.';
    throw new ApiError('unsupported_filter', message, { details: [{ path: 'engagementId', message }] });
  }
  if (assetId !== undefined) return { list: 'asset', id: assetId };
  return engagementId === undefined ? undefined : { list: 'engagement', id: engagementId };
}

async function asListed({ table, ports }: Source, rows: readonly FindingRow[]) {
  const seen = await lastSeen(ports.bucket, table, rows);
  return rows.map((row) => findingListItem(row, seen.get(row.id)));
}
