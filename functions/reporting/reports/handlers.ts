import { withSecondPerson } from '#shared/people/second-person.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { answerWithin } from '#shared/platform/jobs/wait.ts';
import { keysPage, signDownload } from '#shared/platform/runtime/bucket-parts.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { conflict, fixedLimit, invalid, notFound } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { fileName, REPORT_FORMATS } from '#shared/reporting/files.ts';
import { newReport } from '#shared/reporting/new-report.ts';
import { type Report, reportFolder, reports, type StoredReport, sightOf } from '#shared/reporting/report.ts';
import { assertSettings } from '#shared/reporting/settings.ts';
import type { reportRoutes } from './routes.ts';
import { scheduleHandlers } from './schedules.ts';
import { templateHandlers } from './templates.ts';

type Routes = typeof reportRoutes;

const MAX_REPORTS = 10_000;
/** Longer addresses would outlive the credentials of the function that signs them. */
const URL_SECONDS = 900;

const viewOf = ({ sight: _sight, series: _series, ...report }: StoredReport): Report => report;

/** The reports that the caller sees. */
const seen = ({ part }: Table) => (part ? { sight: sightOf(part) } : {});

/** @throws not_found, also for a report that the caller does not see */
async function readReport(table: Table, id: string): Promise<StoredReport> {
  const report = await table.get(reports, id, true);
  if (table.part && report.sight !== sightOf(table.part)) throw notFound('report', id);
  return report;
}

const listReports = ({ table, query: { kind, status, scheduleId, search, ...page } }: Call<Routes['listReports']>) =>
  showEach(
    table.list(reports, {
      ...{ ...page, filter: { status } },
      where: { ...seen(table), ...(kind && { kind }), ...(scheduleId && { schedule: scheduleId }) },
      ...(search !== undefined && { search }),
    }),
    viewOf,
  );

async function generateReport(call: Call<Routes['generateReport']>) {
  const { connections, table, caller, body, query } = call;
  await assertSettings(table, caller, body);
  const { totalCount } = await table.list(reports, { paginateFrom: 0, paginateSize: 0 });
  if (totalCount >= MAX_REPORTS) throw fixedLimit('An organization', MAX_REPORTS, 'reports');
  return answerWithin(table, await newReport({ connections, table }, body), query.waitSeconds);
}

async function deleteReport(call: Call<Routes['deleteReport']>) {
  const { connections, table, params } = call;
  const report = await readReport(table, params.id);
  return withSecondPerson(call, async () => {
    const deletion = await table.delete(reports, report);
    const prefix = reportFolder(table.organizationId, report.id);
    await connections.bucket.remove(await keysPage(connections.bucket, { prefix }));
    return deletion;
  });
}

async function getReportFile({ connections, table, params, query }: Call<Routes['getReportFile']>) {
  const { id, status, tables, kind, asOf } = await readReport(table, params.id);
  const { format, table: wanted } = query;
  if (status !== 'made') throw conflict(`The report ${id} is ${status}: GET /api/v1/reports/${id} has its state.`);
  const ids = tables.map((one) => one.id);
  if (format === 'csv' && (wanted === undefined || !ids.includes(wanted)))
    throw invalid('table', `must be one of ${ids.join(', ')}`);
  if (format !== 'csv' && wanted !== undefined) throw invalid('table', 'belongs to csv: leave it out');
  const key = reportFolder(table.organizationId, id) + fileName(format, wanted);
  const sizeBytes = await connections.bucket.size(key);
  if (sizeBytes === undefined) throw conflict(`The report ${id} has no file of the format ${format}.`);
  const { ending, mediaType } = REPORT_FORMATS[format];
  const name = `${[kind, wanted, asOf?.slice(0, 10)].filter(Boolean).join('-')}.${ending}`;
  const url = await signDownload(connections.bucket, { key, name, mediaType, seconds: URL_SECONDS });
  return { name, mediaType, sizeBytes, url, urlExpiresAt: inSeconds(URL_SECONDS) };
}

export const reportHandlers: Handlers<Routes> = {
  listReports,
  generateReport,
  getReport: async ({ table, params }) => viewOf(await readReport(table, params.id)),
  deleteReport,
  getReportFile,
  ...templateHandlers,
  ...scheduleHandlers,
};
