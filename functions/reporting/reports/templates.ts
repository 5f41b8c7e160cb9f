import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { answerWithin } from '#shared/platform/jobs/wait.ts';
import { conflict, fixedLimit } from '#shared/platform/runtime/errors.ts';
import { newReport } from '#shared/reporting/new-report.ts';
import { ReportSettings } from '#shared/reporting/report.ts';
import { reportSchedules } from '#shared/reporting/report-schedule.ts';
import { MAX_TEMPLATES, ReportTemplate, reportTemplates } from '#shared/reporting/report-template.ts';
import { assertSettings } from '#shared/reporting/settings.ts';
import type { reportRoutes } from './routes.ts';

type Routes = Pick<
  typeof reportRoutes,
  | 'listReportTemplates'
  | 'createReportTemplate'
  | 'getReportTemplate'
  | 'updateReportTemplate'
  | 'deleteReportTemplate'
  | 'generateReportOfTemplate'
>;

async function createTemplate({ table, caller, body }: Call<Routes['createReportTemplate']>) {
  await assertSettings(table, caller, body);
  const { totalCount } = await table.list(reportTemplates, { paginateFrom: 0, paginateSize: 0 });
  if (totalCount >= MAX_TEMPLATES) throw fixedLimit('An organization', MAX_TEMPLATES, 'report templates');
  return table.create(reportTemplates, body);
}

async function updateTemplate({ table, caller, params, body, ifMatch }: Call<Routes['updateReportTemplate']>) {
  const current = await table.get(reportTemplates, params.id, true);
  const changes = mergePatch(ReportTemplate, current, { patch: body, ifMatch });
  if (!changes) return current;
  await assertSettings(table, caller, { ...current, ...changes });
  return table.update(reportTemplates, current, changes);
}

async function deleteTemplate({ table, params: { id } }: Call<Routes['deleteReportTemplate']>) {
  const template = await table.get(reportTemplates, id, true);
  const using = { paginateFrom: 0, paginateSize: 1, where: { template: id }, consistent: true };
  const { data } = await table.list(reportSchedules, using);
  if (data[0]) throw conflict(`The schedule ${data[0].name} uses the template: delete or change the schedule first.`);
  return table.delete(reportTemplates, template);
}

async function generate({ connections, table, caller, params, query }: Call<Routes['generateReportOfTemplate']>) {
  const template = await table.get(reportTemplates, params.id);
  const settings = ReportSettings.parse(template);
  // what the template names may be gone
  await assertSettings(table, caller, settings);
  const queued = await newReport({ connections, table }, settings, { templateId: template.id });
  return answerWithin(table, queued, query.waitSeconds);
}

export const templateHandlers: Handlers<Routes> = {
  listReportTemplates: ({ table, query }) => table.list(reportTemplates, query),
  createReportTemplate: createTemplate,
  getReportTemplate: ({ table, params }) => table.get(reportTemplates, params.id),
  updateReportTemplate: updateTemplate,
  deleteReportTemplate: deleteTemplate,
  generateReportOfTemplate: generate,
};
