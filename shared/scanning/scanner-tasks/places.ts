import { TASK_KEPT_SECONDS } from '#shared/platform/jobs/task.ts';
import { takePlace } from '#shared/platform/quotas/places.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Engagement } from '../engagements/engagement.ts';
import { planTasks } from './plan.ts';

type Run = { taskId: string; engagement: Pick<Engagement, 'targets' | 'exclusions' | 'taskTypes'>; made?: number };

/**
 * Takes the places of all scanner tasks that a run still makes, so that all of them fit, or none. The task that makes them
 * holds the places. @throws limit_exceeded
 */
export async function takeTaskPlaces(table: Table, batch: Batch, { taskId, engagement, made = 0 }: Run): Promise<void> {
  const amount = [...planTasks(engagement)].length - made;
  if (amount <= 0) return;
  await takePlace(table, batch, { kind: 'tasks', id: taskId, amount, until: inSeconds(TASK_KEPT_SECONDS) });
}
