import { outboxWrites, sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { type QueuedResponse, queued } from '#shared/platform/jobs/task.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { countTasks } from '#shared/scanning/engagement-tasks/settle.ts';
import { engagementTask } from '#shared/scanning/engagement-tasks/task.ts';
import { type Engagement, engagements } from '#shared/scanning/engagements/engagement.ts';
import { engagementRuns } from '#shared/scanning/engagements/engagement-run.ts';
import { isInProgress, modifyEngagement } from '#shared/scanning/engagements/modify.ts';
import { beginRun } from '#shared/scanning/engagements/runs.ts';
import { takeTaskPlaces } from '#shared/scanning/scanner-tasks/places.ts';

/**
 * Begins a run of a scheduled engagement at once, in addition to its schedule. @throws conflict, not_found,
 * limit_exceeded
 */
export async function runNow({ connections, table }: Context, id: string): Promise<QueuedResponse> {
  const task = engagementTask(table.actor, 'run_engagement', id);
  assertMayRun(await table.get(engagements, id, true));
  const [[runId = ''], counts] = await Promise.all([table.reserve(engagementRuns, 1), countTasks(table, id, true)]);
  await modifyEngagement(table, id, (engagement) => {
    assertMayRun(engagement);
    const { changes, also } = beginRun(table, { engagement, runId, taskId: task.id, counts, scheduledFor: null });
    return {
      changes,
      also: async (batch) => {
        also(batch);
        batch.write(...outboxWrites(table, task));
        await takeTaskPlaces(table, batch, { taskId: task.id, engagement });
      },
    };
  });
  await sendOutbox({ connections, table }, { task });
  return queued(task);
}

function assertMayRun({ status, lastRun, taskTypes }: Engagement): void {
  if (status === 'running' || isInProgress(lastRun)) throw conflict('A run is in progress: wait until it has ended.');
  if (status !== 'scheduled') throw conflict(`Only a scheduled engagement can be run now; this one is ${status}.`);
  if (taskTypes.length === 0) throw conflict('The engagement has no task types: start it with POST .../start.');
}
