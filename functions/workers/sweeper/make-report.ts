import { now } from '#shared/platform/runtime/clock.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { nextTime, scheduleTimer } from '#shared/reporting/due.ts';
import { newReport } from '#shared/reporting/new-report.ts';
import { ReportSettings } from '#shared/reporting/report.ts';
import { reportSchedules } from '#shared/reporting/report-schedule.ts';
import { reportTemplates } from '#shared/reporting/report-template.ts';
import type { Due } from './due.ts';

/**
 * A schedule is due: its report is made in the name of the one who made the schedule. The next time is set in the same transaction, so
 * that a time gives one report. Times that passed meanwhile are not made up for.
 */
export async function makeScheduled({ table: swept, connections, timer, drop }: Due): Promise<void> {
  const schedule = await swept.find(reportSchedules, timer.id, true);
  if (!schedule?.nextAt || Date.parse(schedule.nextAt) !== timer.at) return drop();
  const cause = { operation: `timer-${timer.kind}` };
  const table = openTable(connections.dynamo, timer.organizationId, { ...schedule.createdBy, cause });
  const template = await table.find(reportTemplates, schedule.templateId, true);
  if (!template) return drop();
  const nextAt = nextTime(schedule, Math.max(timer.at, Date.parse(now())));
  await newReport({ table, connections }, ReportSettings.parse(template), {
    templateId: template.id,
    scheduleId: schedule.id,
    also: (batch, reportId) => {
      const changes = { nextAt, lastRun: { at: now(), reportId } };
      batch.update(reportSchedules, schedule, table.changed(schedule, changes));
      batch.write(...scheduleTimer(table, { id: schedule.id, was: schedule.nextAt, is: nextAt }));
    },
  });
}
