import { roleToGive } from '#shared/credentials/role.ts';
import { webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { teams } from '#shared/people/team.ts';
import { users } from '#shared/people/user.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { fixedLimit, invalid } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { nextTime, scheduleTimer } from '#shared/reporting/due.ts';
import { MAX_SCHEDULES, ReportSchedule, reportSchedules } from '#shared/reporting/report-schedule.ts';
import { reportTemplates } from '#shared/reporting/report-template.ts';
import { assertKind } from '#shared/reporting/settings.ts';
import { recurrenceProblem } from '#shared/scanning/schedule/recurrence.ts';
import type { reportRoutes } from './routes.ts';

type Routes = Pick<
  typeof reportRoutes,
  'listReportSchedules' | 'createReportSchedule' | 'getReportSchedule' | 'updateReportSchedule' | 'deleteReportSchedule'
>;

type Asked = Pick<ReportSchedule, 'templateId' | 'startAt' | 'recurrence' | 'timeZone' | 'enabled' | 'recipients'>;

type Scheduling = Pick<Call<Routes['createReportSchedule']>, 'table' | 'caller'>;

/** @throws validation_failed for times that never come, not_found for the template */
async function assertSchedule({ table, caller }: Scheduling, asked: Asked): Promise<void> {
  const problem = recurrenceProblem(asked, nowMs());
  if (problem) throw invalid('recurrence', problem);
  if (asked.enabled && nextTime(asked, nowMs()) === null)
    throw invalid('startAt', 'must be in the future, or have a recurrence that goes on');
  assertKind(table, caller, await table.get(reportTemplates, asked.templateId));
  await assertRecipients(table, asked.recipients);
}

/** @throws validation_failed for a recipient that the organization does not have */
async function assertRecipients(table: Table, asked: Asked['recipients']): Promise<void> {
  const { userIds, teamIds, endpointIds, roleIds } = asked;
  const found = await Promise.all([
    table.findMany(users, userIds),
    table.findMany(teams, teamIds),
    table.findMany(webhookEndpoints, endpointIds),
  ]);
  const known = new Set(found.flat().map(({ id }) => id));
  for (const [name, ids] of Object.entries({ userIds, teamIds, endpointIds }))
    for (const [n, id] of ids.entries())
      if (!known.has(id)) throw invalid(`recipients.${name}.${n}`, 'must be the id of a user, a team or an endpoint');
  for (const [n, id] of roleIds.entries()) await roleToGive(table, id, `recipients.roleIds.${n}`);
}

async function createSchedule(call: Call<Routes['createReportSchedule']>) {
  const { table, body } = call;
  await assertSchedule(call, body);
  const { totalCount } = await table.list(reportSchedules, { paginateFrom: 0, paginateSize: 0 });
  if (totalCount >= MAX_SCHEDULES) throw fixedLimit('An organization', MAX_SCHEDULES, 'report schedules');
  const [id = ''] = await table.reserve(reportSchedules, 1);
  const nextAt = nextTime(body, nowMs());
  return table.create(reportSchedules, { ...body, id, nextAt, lastRun: null }, (batch) =>
    batch.write(...scheduleTimer(table, { id, is: nextAt })),
  );
}

const updateSchedule = (call: Call<Routes['updateReportSchedule']>) =>
  retry(async () => {
    const { table, params, body, ifMatch } = call;
    const current = await table.get(reportSchedules, params.id, true);
    const changes = mergePatch(ReportSchedule, current, { patch: body, ifMatch });
    if (!changes) return current;
    const next = { ...current, ...changes };
    await assertSchedule(call, next);
    const nextAt = nextTime(next, nowMs());
    return table.update(reportSchedules, current, { ...changes, nextAt }, (batch) =>
      batch.write(...scheduleTimer(table, { id: current.id, was: current.nextAt, is: nextAt })),
    );
  });

async function deleteSchedule({ table, params }: Call<Routes['deleteReportSchedule']>) {
  const schedule = await table.get(reportSchedules, params.id, true);
  return table.delete(reportSchedules, schedule, (batch) =>
    batch.write(...scheduleTimer(table, { id: schedule.id, was: schedule.nextAt, is: null })),
  );
}

export const scheduleHandlers: Handlers<Routes> = {
  listReportSchedules: ({ table, query }) => table.list(reportSchedules, query),
  createReportSchedule: createSchedule,
  getReportSchedule: ({ table, params }) => table.get(reportSchedules, params.id),
  updateReportSchedule: updateSchedule,
  deleteReportSchedule: deleteSchedule,
};
