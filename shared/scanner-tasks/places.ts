import type { Engagement } from '../entities/engagement.ts';
import { TASK_KEPT_SECONDS } from '../jobs/task.ts';
import { takePlace } from '../quotas/places.ts';
import { inSeconds } from '../runtime/clock.ts';
import type { Batch } from '../table/batch.ts';
import type { Table } from '../table/table.ts';
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
