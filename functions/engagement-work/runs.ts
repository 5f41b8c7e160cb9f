import { isInProgress } from '#shared/engagements/modify.ts';
import { countTasks, endedSince } from '#shared/engagements/settle.ts';
import type { Engagement } from '#shared/entities/engagement.ts';
import { engagementRuns } from '#shared/entities/engagement-run.ts';
import { changesIn } from '#shared/entities/finding-changes.ts';
import { importedReports } from '#shared/entities/imported-report.ts';
import { showEach } from '#shared/http/pagination.ts';
import type { PageRange } from '#shared/table/paging.ts';
import type { Table } from '#shared/table/table.ts';

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
