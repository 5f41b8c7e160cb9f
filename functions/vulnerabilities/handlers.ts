import { type StoredVulnerability, vulnerabilities } from '#shared/entities/vulnerability.ts';
import { advisoryGroups, fixGroups } from '#shared/entities/vulnerability-group.ts';
import { queueMany } from '#shared/findings/many/queue.ts';
import { undoUpdate } from '#shared/findings/many/undo-update.ts';
import { showEach } from '#shared/http/pagination.ts';
import type { Handlers } from '#shared/http/route.ts';
import { answerWithin } from '#shared/jobs/wait.ts';
import { Severity } from '#shared/reports/report.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import type { ListQuery } from '#shared/table/list.ts';
import type { PageRange } from '#shared/table/paging.ts';
import type { Table } from '#shared/table/table.ts';
import { vulnerabilityQuery } from '#shared/vulnerabilities/filter.ts';
import { findingsOf } from '#shared/vulnerabilities/found.ts';
import { advisoryGroup, fixGroup, vulnerabilityListItem, vulnerabilityRecord } from '#shared/vulnerabilities/record.ts';
import { previewDecision } from './preview.ts';
import type { vulnerabilityRoutes } from './routes.ts';
import { updateVulnerability } from './update.ts';
import { decisionOnMany } from './update-many.ts';

export const vulnerabilityHandlers: Handlers<typeof vulnerabilityRoutes> = {
  listVulnerabilities: ({ table, caller, query }) =>
    showEach(table.list(vulnerabilities, vulnerabilityQuery(query, caller)), vulnerabilityListItem),

  searchVulnerabilities: ({ table, caller, query }) =>
    showEach(table.list(vulnerabilities, vulnerabilityQuery(query, caller)), vulnerabilityListItem),

  listVulnerabilitiesByAdvisory: ({ table, query }) =>
    showEach(table.list(advisoryGroups, groupQuery(query)), advisoryGroup),

  listVulnerabilitiesByFix: ({ table, query }) => showEach(table.list(fixGroups, groupQuery(query)), fixGroup),

  getVulnerability: async ({ table, connections, params }) =>
    shown({ table, connections }, await table.get(vulnerabilities, params.id)),

  async updateVulnerability({ table, connections, caller, params, body, ifMatch }) {
    const change = { table, connections, caller, id: params.id, patch: body, ifMatch };
    return shown({ table, connections }, await updateVulnerability(change));
  },

  async updateVulnerabilities({ table, connections, caller, body, query }) {
    const { wanted, decision } = await decisionOnMany(table, caller, body);
    if (body.dryRun) return { preview: await previewDecision(table, wanted, decision) };
    const request = { operation: 'update_vulnerabilities', unit: 'records', wanted, input: decision } as const;
    return answerWithin(table, await queueMany(connections, table, request), query.waitSeconds);
  },

  undoVulnerabilitiesUpdate: async ({ table, connections, params, query }) =>
    answerWithin(table, await undoUpdate({ connections, table }, UNDO, params.taskId), query.waitSeconds),
};

const UNDO = {
  of: 'update_vulnerabilities',
  by: 'undo_vulnerabilities_update',
  name: 'decision on vulnerabilities',
} as const;

type GroupQuery = PageRange & { severity?: readonly Severity[] | undefined; sort?: string | undefined };

/** An order is read beside a filter; every group has one of the severities. */
function groupQuery({ severity, sort = 'newest', ...page }: GroupQuery): ListQuery {
  if (sort === 'newest') return { ...page, ...(severity && { where: { severity } }) };
  return { ...page, where: { severity: severity ?? Severity.options }, sort };
}

type Source = { table: Table; connections: Connections };

const shown = async ({ table, connections }: Source, stored: StoredVulnerability) =>
  vulnerabilityRecord(stored, await findingsOf(table, connections.bucket, stored));
