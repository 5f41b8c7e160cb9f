import { type Work, workerHandler } from '#shared/platform/jobs/worker.ts';
import { giveUpPlace } from '#shared/platform/quotas/places.ts';
import { endWork } from './end-work.ts';
import { makeTasks } from './make-tasks.ts';
import { results } from './results.ts';
import { openWindows } from './windows.ts';

/** The work of a message by the operation of its task. All other operations, which begin or approve, make tasks. */
const works: Record<string, (work: Work) => ReturnType<typeof makeTasks>> = {
  cancel_engagement: endWork,
  reject_engagement: endWork,
  complete_engagement: endWork,
  open_windows: openWindows,
};

export const handler = workerHandler('engagements', (work) => (works[work.task.operation] ?? makeTasks)(work), {
  results,
  deadLettered: ({ table, task }) => giveUpPlace(table, 'tasks', task.id),
});
