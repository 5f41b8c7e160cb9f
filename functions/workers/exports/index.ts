import { workerHandler } from '#shared/platform/jobs/worker.ts';
import { giveUpPlace } from '#shared/platform/quotas/places.ts';
import { results } from './results.ts';
import { runExport } from './run.ts';

export const handler = workerHandler('exports', runExport, {
  results,
  deadLettered: ({ table, task }) => giveUpPlace(table, 'exports', task.id),
});
