import { importedReports } from '#shared/ingest/imported-report.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { countTasks, endedSince } from '#shared/scanning/engagement-tasks/settle.ts';
import type { Engagement } from '#shared/scanning/engagements/engagement.ts';
import { engagementRuns } from '#shared/scanning/engagements/engagement-run.ts';
import { changesIn } from '#shared/scanning/engagements/finding-changes.ts';
import { isInProgress } from '#shared/scanning/engagements/modify.ts';

/** A page of runs with what their reports changed. The current run has the live counts of its tasks. */
export async function showRuns(table: Table, { id, lastRun }: Engagement, paging: PageRange) {
  const page = await showEach(table.list(engagementRuns, { ...paging, parent: { engagement: id } }), async (run) => ({
    ...run,
    findings: changesIn(await table.tally(importedReports, 'run', run.id)),
  }));
  if (!lastRun || !isInProgress(lastRun)) return page;
  const tasks = endedSince(await countTasks(table, id), lastRun.tasksBefore);
  return { ...page, data: page.data.map((run) => (run.id === lastRun.id ? { ...run, tasks } : run)) };
}
