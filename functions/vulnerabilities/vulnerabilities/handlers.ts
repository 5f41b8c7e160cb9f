import { withPresentName, withPresentNames } from '#shared/people/present-names.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { exportFile, fileAnswer } from '#shared/platform/exports/exported-file.ts';
import { withMatching } from '#shared/platform/filter/read.ts';
import { showEach, showPage } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { given } from '#shared/platform/runtime/given.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { ListQuery } from '#shared/platform/table/list.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Severity } from '#shared/reports/report/report.ts';
import { vulnerabilityTicketLink } from '#shared/ticketing/keys.ts';
import { EXPORT_VULNERABILITIES, type VulnerabilityExportInput } from '#shared/vulnerabilities/vulnerability/export.ts';
import {
  type VulnerabilityQuery,
  vulnerabilityQuery,
  vulnerabilitySelection,
} from '#shared/vulnerabilities/vulnerability/filter.ts';
import { vulnerabilityFilter } from '#shared/vulnerabilities/vulnerability/filter-fields.ts';
import { findingsOf } from '#shared/vulnerabilities/vulnerability/found.ts';
import {
  advisoryGroup,
  fixGroup,
  vulnerabilityListItem,
  vulnerabilityRecord,
} from '#shared/vulnerabilities/vulnerability/record.ts';
import { type StoredVulnerability, vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { advisoryGroups, fixGroups } from '#shared/vulnerabilities/vulnerability/vulnerability-group.ts';
import type { VulnerabilitiesExport, vulnerabilityRoutes } from './routes.ts';
import { updateVulnerability } from './update.ts';

async function list({ table, caller, query }: { table: Table; caller: Caller; query: VulnerabilityQuery }) {
  const asked = await withMatching({ table, caller }, vulnerabilityFilter, query);
  return showPage(table.list(vulnerabilities, vulnerabilityQuery(asked, caller)), async (found) =>
    (await withPresentNames(table, 'assignee', found)).map(vulnerabilityListItem),
  );
}

export const vulnerabilityHandlers: Handlers<typeof vulnerabilityRoutes> = {
  listVulnerabilities: list,
  searchVulnerabilities: list,

  listVulnerabilitiesByAdvisory: ({ table, query: { advisoryId, ...query } }) => {
    return showEach(table.list(advisoryGroups, groupQuery({ ...query, name: advisoryId })), advisoryGroup);
  },

  listVulnerabilitiesByFix: ({ table, query: { component, ...query } }) =>
    showEach(table.list(fixGroups, groupQuery({ ...query, name: component })), fixGroup),

  async exportVulnerabilities({ table, connections, caller, body, query }) {
    const filter = await withMatching({ table, caller }, vulnerabilityFilter, body.filter);
    const input = exportInput({ ...body, filter }, caller);
    return exportFile({ connections, table }, EXPORT_VULNERABILITIES, { ...query, input });
  },

  getVulnerabilitiesExport: ({ table, connections, params, query }) =>
    fileAnswer({ connections, table }, EXPORT_VULNERABILITIES, { ...params, ...query }),

  getVulnerability: async ({ table, connections, params }) =>
    shown({ table, connections }, await table.get(vulnerabilities, params.id)),

  async updateVulnerability({ table, connections, caller, params, body, ifMatch }) {
    const change = { table, connections, caller, id: params.id, patch: body, ifMatch };
    return shown({ table, connections }, await updateVulnerability(change));
  },
};

/** The filters are the caller's: `me` means the caller. @throws validation_failed */
function exportInput({ format, columns, filter }: VulnerabilitiesExport, caller: Caller): VulnerabilityExportInput {
  if (columns && format === 'vex') throw invalid('columns', 'belongs to csv and jsonl: leave it out for vex');
  return { format, selection: vulnerabilitySelection(filter, caller), ...(columns && { columns }) };
}

type GroupQuery = PageRange & {
  severity?: readonly Severity[] | undefined;
  kev?: true | undefined;
  /** The advisory or the component, in any letter case. */
  name?: string | undefined;
  sort?: string | undefined;
};

function groupQuery({ severity, kev, name, sort = 'newest', ...page }: GroupQuery): ListQuery {
  const where = given({ severity, kev: kev && 'true', name: name?.toLowerCase() });
  return { ...page, ...(sort !== 'newest' && { sort }), ...(Object.keys(where).length > 0 && { where }) };
}

/** A vulnerability with the newest of its findings and the path of its ticket. */
async function shown({ table, connections }: Context, stored: StoredVulnerability) {
  const [found, ticket, named] = await Promise.all([
    findingsOf(table, connections.bucket, stored),
    vulnerabilityTicketLink(table, stored),
    withPresentName(table, 'assignee', stored),
  ]);
  const record = vulnerabilityRecord(named, found);
  return { ...record, links: { ...record.links, ...ticket } };
}
