import { workerHandler } from '#shared/jobs/worker.ts';
import { makeTasks } from './make-tasks.ts';

export const handler = workerHandler('engagements', makeTasks);
