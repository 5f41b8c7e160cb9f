import { changeStored } from '#shared/organizations/change-settings.ts';
import { withSecondPerson } from '#shared/people/second-person.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { answerWithin } from '#shared/platform/jobs/wait.ts';
import { keysPage, signDownload } from '#shared/platform/runtime/bucket-parts.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { conflict, fixedLimit, invalid, notFound } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assertBrand, brandRows, ReportBrand, readBrand } from '#shared/reporting/brand.ts';
import { fileName, REPORT_FORMATS } from '#shared/reporting/files.ts';
import { newReport } from '#shared/reporting/new-report.ts';
import { type Report, reportFolder, reports, type StoredReport, sightOf } from '#shared/reporting/report.ts';
import { assertSettings, kindsSeen } from '#shared/reporting/settings.ts';
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

type Reader = { table: Table; caller: Caller };

/** @throws not_found, also for a report that the caller does not see */
async function readReport({ table, caller }: Reader, id: string): Promise<StoredReport> {
  const report = await table.get(reports, id, true);
  const isSeen = !table.part || report.sight === sightOf(table.part);
  if (!isSeen || !kindsSeen(caller).includes(report.kind)) throw notFound('report', id);
  return report;
}

const listReports = ({ table, caller, query }: Call<Routes['listReports']>) => {
  const { kind, status, scheduleId, search, ...page } = query;
  const kinds = kindsSeen(caller).filter((one) => kind === undefined || one === kind);
  return showEach(
    table.list(reports, {
      ...page,
      filter: { status },
      where: { ...seen(table), kind: kinds, ...(scheduleId && { schedule: scheduleId }) },
      ...(search !== undefined && { search }),
    }),
    viewOf,
  );
};

async function generateReport(call: Call<Routes['generateReport']>) {
  const { connections, table, caller, body, query } = call;
  await assertSettings(table, caller, body);
  const { totalCount } = await table.list(reports, { paginateFrom: 0, paginateSize: 0 });
  if (totalCount >= MAX_REPORTS) throw fixedLimit('An organization', MAX_REPORTS, 'reports');
  return answerWithin(table, await newReport({ connections, table }, body), query.waitSeconds);
}

async function deleteReport(call: Call<Routes['deleteReport']>) {
  const { connections, table, params } = call;
  const report = await readReport(call, params.id);
  return withSecondPerson(call, async () => {
    const deletion = await table.delete(reports, report);
    const prefix = reportFolder(table.organizationId, report.id);
    await connections.bucket.remove(await keysPage(connections.bucket, { prefix }));
    return deletion;
  });
}

async function getReportFile(call: Call<Routes['getReportFile']>) {
  const { connections, table, params, query } = call;
  const { id, status, tables, kind, asOf } = await readReport(call, params.id);
  const { format, table: wanted, disposition } = query;
  const shown = disposition === 'inline';
  if (shown && format !== 'pdf') throw invalid('disposition', 'inline belongs to pdf: leave it out');
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
  const url = await signDownload(connections.bucket, { key, name, mediaType, seconds: URL_SECONDS, shown });
  return { name, mediaType, sizeBytes, url, urlExpiresAt: inSeconds(URL_SECONDS) };
}

async function updateReportBrand({ table, body }: Call<Routes['updateReportBrand']>) {
  assertBrand(body);
  await changeStored(table, { rows: brandRows, schema: ReportBrand, unreported: ['logo'] }, body);
  return readBrand(table);
}

export const reportHandlers: Handlers<Routes> = {
  listReports,
  generateReport,
  getReport: async (call) => viewOf(await readReport(call, call.params.id)),
  deleteReport,
  getReportFile,
  getReportBrand: ({ table }) => readBrand(table),
  updateReportBrand,
  ...templateHandlers,
  ...scheduleHandlers,
};
