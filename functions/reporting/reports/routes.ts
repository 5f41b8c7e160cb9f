import * as z from 'zod';
import { adminOf, reads, writes } from '#shared/platform/auth/access.ts';
import { Listing, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, Id, objectNamed, patchBody, Timestamp, text } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { WaitedResponse, WaitSeconds } from '#shared/platform/jobs/wait.ts';
import { ReportBrand } from '#shared/reporting/brand.ts';
import { REPORT_FORMATS, type ReportFormat } from '#shared/reporting/files.ts';
import { REPORT_KINDS, Report } from '#shared/reporting/report.ts';
import { ReportSchedule } from '#shared/reporting/report-schedule.ts';
import { ReportTemplate } from '#shared/reporting/report-template.ts';

const path = '/api/v1/reports';
const templates = '/api/v1/report-templates';
const schedules = '/api/v1/report-schedules';
const brand = '/api/v1/reports/brand';

const ReportsQuery = Listing.extend({
  kind: z.enum(REPORT_KINDS).optional(),
  status: Report.shape.status.optional(),
  scheduleId: Id.optional().meta({ description: 'made by this schedule' }),
  search: SearchQuery.shape.search.optional().meta({ description: 'words of the title' }),
});

const Formats = Object.keys(REPORT_FORMATS) as [ReportFormat, ...ReportFormat[]];

const FileQuery = z.object({
  format: z.enum(Formats).default('pdf'),
  disposition: z.enum(['attachment', 'inline']).default('attachment').meta({
    description: '`inline`, of `pdf`: a browser shows the file in place of saving it',
  }),
  table: text(80).optional().meta({ description: 'of `csv`: the id of a table of the report' }),
});

const ReportFile = objectNamed('ReportFile', {
  name: z.string(),
  mediaType: z.string(),
  sizeBytes: z.int().nonnegative(),
  url: z.string().meta({ description: 'GET this address without credentials' }),
  urlExpiresAt: Timestamp.meta({ description: 'request a new address after this time' }),
});

const SIGHT =
  'A report shows what its maker saw. With a role for a part of the organization you see the reports that you made yourself with this part; ' +
  'without a part you see all.';

const Waiting = z.object({ waitSeconds: WaitSeconds });

export const reportRoutes = defineRoutes({
  listReports: get(path, {
    summary: 'List reports, newest first',
    description: SIGHT,
    access: reads('reports:read'),
    inPart: 'seen',
    query: ReportsQuery,
    response: searchPageOf(Report),
  }),
  generateReport: post(path, {
    summary: 'Make a report',
    description:
      'A queued task gathers the facts at one moment, and writes the report in every format. After that the report never changes: ' +
      '`asOf`, the filter and `factsHash` are in its appendix. Every number of an executive report equals the list to which it links. ' +
      `The report has the state, and the operation of its file the files. ${SIGHT}`,
    access: writes('reports:write'),
    inPart: 'seen',
    query: Waiting,
    body: createBody(Report),
    response: WaitedResponse,
  }),
  getReport: get(`${path}/{id}`, {
    summary: 'Read the state of a report',
    description: `\`tables\` names its tables, \`error\` says why it could not be made. ${SIGHT}`,
    access: reads('reports:read'),
    inPart: 'seen',
    response: Report,
  }),
  deleteReport: remove(`${path}/{id}`, {
    summary: 'Delete a report with its files',
    description: 'The same facts are never gathered again: another report shows the present.',
    access: writes('reports:write'),
    inPart: 'seen',
    irreversible: true,
    response: Deletion,
  }),
  getReportFile: get(`${path}/{id}/file`, {
    summary: 'Get the address of a file of a report',
    description:
      'The address works for 15 minutes and needs no credential. `csv` is one `table` with all of its rows; a cell that a spreadsheet would ' +
      'read as a formula begins with an apostrophe. `xlsx` has a sheet for each table. `json` has the facts and the document. ' +
      'Of the kind `sbom_vex` there are also `sbom`, a CycloneDX 1.6 document, and `vex`, an OpenVEX document.',
    access: reads('reports:read'),
    inPart: 'seen',
    query: FileQuery,
    response: ReportFile,
  }),
  getReportBrand: get(brand, {
    summary: 'Read the looks of reports: logo, colours, footer',
    description: 'What nobody set is null. A report keeps the looks of the moment of its facts.',
    access: reads('reports:read'),
    inPart: 'same',
    response: ReportBrand,
  }),
  updateReportBrand: patch(brand, {
    summary: 'Change the looks of reports: logo, colours, footer',
    description:
      'A merge patch: null restores the default. Refused are a logo that is no small PNG, and colours that readers cannot see on white. PDF, ' +
      'HTML and XLSX of later reports have the new looks; earlier reports stay as they are.',
    access: adminOf('reports'),
    body: patchBody(ReportBrand),
    response: ReportBrand,
  }),
  listReportTemplates: get(templates, {
    summary: 'List report templates, newest first',
    description: 'A template keeps the settings of reports under a name.',
    access: reads('reports:read'),
    query: Listing,
    response: pageOf(ReportTemplate),
  }),
  createReportTemplate: post(templates, {
    summary: 'Keep what reports are about, under a name',
    description: 'An organization has at most 200 templates.',
    access: writes('reports:write'),
    body: createBody(ReportTemplate),
    response: ReportTemplate,
  }),
  getReportTemplate: get(`${templates}/{id}`, {
    summary: 'Read a report template',
    description: 'Schedules name it, and make reports with its settings.',
    access: reads('reports:read'),
    response: ReportTemplate,
  }),
  updateReportTemplate: patch(`${templates}/{id}`, {
    summary: 'Change a report template',
    description: 'A merge patch. Reports that are made already do not change.',
    access: writes('reports:write'),
    body: patchBody(ReportTemplate),
    response: ReportTemplate,
  }),
  deleteReportTemplate: remove(`${templates}/{id}`, {
    summary: 'Delete a report template',
    description: 'Refused while a schedule uses the template.',
    access: writes('reports:write'),
    response: Deletion,
  }),
  generateReportOfTemplate: post(`${templates}/{id}/reports`, {
    summary: 'Make a report of a template',
    description: `As \`POST ${path}\`.`,
    access: writes('reports:write'),
    query: Waiting,
    response: WaitedResponse,
  }),
  listReportSchedules: get(schedules, {
    summary: 'List report schedules, newest first',
    description: '`nextAt` is the time of the next report, `lastRun` the last one.',
    access: reads('reports:read'),
    query: Listing,
    response: pageOf(ReportSchedule),
  }),
  createReportSchedule: post(schedules, {
    summary: 'Have reports of a template made and sent at set times',
    description:
      'Recipients get a letter with a link, and no attachment: a file opens only for those who may read the report. `deliveries` of a report ' +
      'names the letters. An organization has at most 100 schedules.',
    access: writes('reports:write'),
    body: createBody(ReportSchedule),
    response: ReportSchedule,
  }),
  getReportSchedule: get(`${schedules}/{id}`, {
    summary: 'Read a report schedule, with its next and its last time',
    description: '`lastRun` names the report that it made, or says that nothing had changed.',
    access: reads('reports:read'),
    response: ReportSchedule,
  }),
  updateReportSchedule: patch(`${schedules}/{id}`, {
    summary: 'Change a report schedule, or turn it off or on',
    description: 'A merge patch. Times that passed while it was off are not made up for.',
    access: writes('reports:write'),
    body: patchBody(ReportSchedule),
    response: ReportSchedule,
  }),
  deleteReportSchedule: remove(`${schedules}/{id}`, {
    summary: 'Delete a report schedule',
    description: 'Its reports stay.',
    access: writes('reports:write'),
    response: Deletion,
  }),
});
