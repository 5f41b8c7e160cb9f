import type { Operation } from '#shared/platform/jobs/operations.ts';
import { outboxWrites, sendOutbox } from '#shared/platform/jobs/outbox.ts';
import type { TaskRow } from '#shared/platform/jobs/task.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { countTasks } from '#shared/scanning/engagement-tasks/settle.ts';
import { engagementTask } from '#shared/scanning/engagement-tasks/task.ts';
import { type Engagement, engagements } from '#shared/scanning/engagements/engagement.ts';
import { engagementRuns } from '#shared/scanning/engagements/engagement-run.ts';
import { changeEngagement, type EngagementUpdate, isInProgress } from '#shared/scanning/engagements/modify.ts';
import { beginRun, skipRun } from '#shared/scanning/engagements/runs.ts';
import type { Due } from './due.ts';

/** Starts an engagement, or opens or closes one of its windows. Sets the next timer in the same transaction. */
export async function sweepEngagement({ table, connections, timer, drop }: Due): Promise<void> {
  const engagement = await table.find(engagements, timer.id, true);
  if (!engagement?.wakeAt || Date.parse(engagement.wakeAt) !== timer.at) return drop();
  const tasks: TaskRow[] = [];
  const start = isDue(engagement) ? await startRun(table, engagement, tasks) : undefined;
  if (engagement.windows.length > 0 && isInProgress(engagement.lastRun)) tasks.push(job('open_windows', engagement));
  const batch = table.batch();
  changeEngagement(batch, table, { engagement, changes: start?.changes ?? {} });
  start?.also?.(batch, engagement);
  batch.write(...tasks.flatMap((task) => outboxWrites(table, task)));
  await batch.commit();
  for (const task of tasks) await sendOutbox({ connections, table }, { task });
}

const isDue = ({ nextRunAt }: Engagement): boolean => nextRunAt !== null && Date.parse(nextRunAt) <= nowMs();

async function startRun(table: Table, engagement: Engagement, tasks: TaskRow[]): Promise<EngagementUpdate> {
  const [runId = ''] = await table.reserve(engagementRuns, 1);
  if (isInProgress(engagement.lastRun)) return skipRun(table, { engagement, runId });
  const task = job('run_engagement', engagement);
  tasks.push(task);
  const counts = await countTasks(table, engagement.id, true);
  return beginRun(table, { engagement, runId, taskId: task.id, counts, scheduledFor: engagement.nextRunAt });
}

/** The person who asked for the engagement may follow the task. */
const job = (operation: Operation, { id, createdBy }: Engagement): TaskRow => engagementTask(createdBy, operation, id);
