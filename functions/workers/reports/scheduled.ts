import { letterTask } from '#shared/people/letter.ts';
import { peopleOfTeams } from '#shared/people/team.ts';
import { users } from '#shared/people/user.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { reports, type StoredReport } from '#shared/reporting/report.ts';
import { type ReportSchedule, reportSchedules } from '#shared/reporting/report-schedule.ts';

const scheduleOf = async (table: Table, { scheduleId }: StoredReport): Promise<ReportSchedule | undefined> =>
  scheduleId === null ? undefined : table.find(reportSchedules, scheduleId, true);

/**
 * Removes a report whose schedule keeps only changes, if the facts are those of the schedule's former report.
 * @returns whether it is removed
 */
export async function removeUnchanged({ table }: Context, report: StoredReport, factsHash: string): Promise<boolean> {
  const schedule = await scheduleOf(table, report);
  if (!schedule?.onlyIfChanged) return false;
  const made = { filter: { status: 'made' }, where: { schedule: schedule.id, series: report.series } };
  const { data } = await table.list(reports, { paginateFrom: 0, paginateSize: 1, ...made });
  if (data[0]?.factsHash !== factsHash) return false;
  await table.delete(reports, report);
  const lastRun = schedule.lastRun && { ...schedule.lastRun, reportId: null };
  await table.modify(reportSchedules, schedule.id, () => ({ lastRun }));
  return true;
}

/** A transaction has room for so many letters. */
const MAX_LETTERS = 20;

/** The letters about a report to the people whom its schedule names, each once, and the endpoints that it names. */
export async function recipientsOf(table: Table, report: StoredReport, title: string) {
  const schedule = await scheduleOf(table, report);
  if (!schedule) return { letters: [], endpointIds: [] };
  const { userIds, teamIds, roleIds, endpointIds } = schedule.recipients;
  const holding = { paginateFrom: 0, paginateSize: MAX_LETTERS, where: { role: roleIds } };
  const [members, holders] = await Promise.all([
    peopleOfTeams(table, teamIds),
    roleIds.length === 0 ? [] : table.list(users, holding).then(({ data }) => data),
  ]);
  const named = await table.findMany(users, [...userIds, ...[...members.values()].flat()]);
  const people = new Map([...named, ...holders].map((user) => [user.id, user]));
  const letters = [...people.values()]
    .filter(({ status }) => status === 'active')
    .slice(0, MAX_LETTERS)
    .map(({ id, name, email }) => ({
      user: { id, name },
      ...letterTask(table, letterAbout(report, { title, email })),
    }));
  return { letters, endpointIds };
}

const letterAbout = ({ id }: StoredReport, { title, email }: { title: string; email: string }) => ({
  to: email,
  subject: `Report: ${title}`.slice(0, 200),
  paragraphs: [
    `The report "${title.slice(0, 200)}" is ready.`,
    'The letter has no figures: sign in to read the report and to download its files.',
  ],
  link: { label: 'Open the report', page: `/reports/${id}` },
});
