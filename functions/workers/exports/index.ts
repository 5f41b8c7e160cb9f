import { workerHandler } from '#shared/jobs/worker.ts';
import { giveUpPlace } from '#shared/quotas/places.ts';
import { runExport } from './run.ts';

export const handler = workerHandler('exports', runExport, {
  deadLettered: ({ table, task }) => giveUpPlace(table, 'exports', task.id),
});
