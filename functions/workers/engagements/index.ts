import { type Work, workerHandler } from '#shared/jobs/worker.ts';
import { endWork } from './end-work.ts';
import { makeTasks } from './make-tasks.ts';
import { openWindows } from './windows.ts';

/** What the queue carries, by the operation of its task; whatever else begins or approves an engagement makes tasks. */
const works: Record<string, (work: Work) => ReturnType<typeof makeTasks>> = {
  cancel_engagement: endWork,
  reject_engagement: endWork,
  complete_engagement: endWork,
  open_windows: openWindows,
};

export const handler = workerHandler('engagements', (work) => (works[work.task.operation] ?? makeTasks)(work));
