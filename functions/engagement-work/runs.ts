import { isInProgress } from '#shared/engagements/modify.ts';
import { countTasks, endedSince } from '#shared/engagements/settle.ts';
import type { Engagement } from '#shared/entities/engagement.ts';
import { engagementRuns } from '#shared/entities/engagement-run.ts';
import type { PageRange } from '#shared/table/paging.ts';
import type { Table } from '#shared/table/table.ts';

/** A page of runs. The current run has the live counts of its tasks. */
export async function showRuns(table: Table, { id, lastRun }: Engagement, paging: PageRange) {
  const page = await table.list(engagementRuns, { ...paging, parent: { engagement: id } });
  if (!lastRun || !isInProgress(lastRun)) return page;
  const tasks = endedSince(await countTasks(table, id), lastRun.tasksBefore);
  return { ...page, data: page.data.map((run) => (run.id === lastRun.id ? { ...run, tasks } : run)) };
}
