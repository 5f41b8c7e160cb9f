import { type StoredVulnerability, vulnerabilities } from '#shared/entities/vulnerability.ts';
import { advisoryGroups, fixGroups } from '#shared/entities/vulnerability-group.ts';
import { showEach } from '#shared/http/pagination.ts';
import type { Handlers } from '#shared/http/route.ts';
import { Severity } from '#shared/reports/report.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import type { Table } from '#shared/table/table.ts';
import { vulnerabilityQuery } from '#shared/vulnerabilities/filter.ts';
import { findingsOf } from '#shared/vulnerabilities/found.ts';
import { advisoryGroup, fixGroup, vulnerabilityListItem, vulnerabilityRecord } from '#shared/vulnerabilities/record.ts';
import type { vulnerabilityRoutes } from './routes.ts';
import { updateVulnerability } from './update.ts';

export const vulnerabilityHandlers: Handlers<typeof vulnerabilityRoutes> = {
  listVulnerabilities: ({ table, caller, query }) =>
    showEach(table.list(vulnerabilities, vulnerabilityQuery(query, caller)), vulnerabilityListItem),

  searchVulnerabilities: ({ table, caller, query }) =>
    showEach(table.list(vulnerabilities, vulnerabilityQuery(query, caller)), vulnerabilityListItem),

  listVulnerabilitiesByAdvisory: ({ table, query: { severity, ...page } }) =>
    showEach(table.list(advisoryGroups, { ...page, where: inGroups(severity), sort: 'priority' }), advisoryGroup),

  listVulnerabilitiesByFix: ({ table, query: { severity, ...page } }) =>
    showEach(table.list(fixGroups, { ...page, where: inGroups(severity), sort: 'closes' }), fixGroup),

  getVulnerability: async ({ table, connections, params }) =>
    shown({ table, connections }, await table.get(vulnerabilities, params.id)),

  updateVulnerability: async ({ table, connections, caller, params, body, ifMatch }) =>
    shown({ table, connections }, await updateVulnerability({ table, caller, id: params.id, patch: body, ifMatch })),
};

/** An order is read beside a filter; every group has one of the severities. */
const inGroups = (severity: readonly Severity[] = Severity.options) => ({ severity });

type Source = { table: Table; connections: Connections };

const shown = async ({ table, connections }: Source, stored: StoredVulnerability) =>
  vulnerabilityRecord(stored, await findingsOf(table, connections.bucket, stored));
