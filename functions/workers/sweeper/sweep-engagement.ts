import { changeEngagement, type EngagementUpdate, isInProgress } from '#shared/engagements/modify.ts';
import { beginRun, skipRun } from '#shared/engagements/runs.ts';
import { countTasks } from '#shared/engagements/settle.ts';
import { engagementTask } from '#shared/engagements/task.ts';
import { type Engagement, engagements } from '#shared/entities/engagement.ts';
import { engagementRuns } from '#shared/entities/engagement-run.ts';
import type { Operation } from '#shared/jobs/operations.ts';
import { outboxWrites, sendOutbox } from '#shared/jobs/outbox.ts';
import type { TaskRow } from '#shared/jobs/task.ts';
import { nowMs } from '#shared/runtime/clock.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import type { Table } from '#shared/table/table.ts';
import type { Timer } from '#shared/timers/timers.ts';
import { dropTimer } from './drop-timer.ts';
import { tableOf } from './table-of.ts';

/** An engagement starts, or one of its windows opens or closes. The next timer is set with what is decided here. */
export async function sweepEngagement(connections: Connections, timer: Timer): Promise<void> {
  const table = tableOf(connections.dynamo, timer);
  const engagement = await table.find(engagements, timer.id, true);
  if (!engagement?.wakeAt || Date.parse(engagement.wakeAt) !== timer.at) return dropTimer(connections.dynamo, timer);
  const tasks: TaskRow[] = [];
  const start = isDue(engagement) ? await startRun(table, engagement, tasks) : undefined;
  if (engagement.windows.length > 0 && isInProgress(engagement.lastRun)) tasks.push(job('open_windows', engagement));
  const batch = table.batch();
  changeEngagement(batch, table, { engagement, changes: start?.changes ?? {} });
  start?.also?.(batch, engagement);
  batch.write(...tasks.flatMap((task) => outboxWrites(table, task)));
  await batch.commit();
  for (const task of tasks) await sendOutbox(connections, table, { task });
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
