import { type Work, workerHandler } from '#shared/jobs/worker.ts';
import { cancelTasks } from './cancel-tasks.ts';
import { makeTasks } from './make-tasks.ts';
import { openWindows } from './windows.ts';

/** What the queue carries, by the operation of its task; whatever else begins or approves an engagement makes tasks. */
const works: Record<string, (work: Work) => ReturnType<typeof makeTasks>> = {
  cancel_engagement: cancelTasks,
  open_windows: openWindows,
};

export const handler = workerHandler('engagements', (work) => (works[work.task.operation] ?? makeTasks)(work));
