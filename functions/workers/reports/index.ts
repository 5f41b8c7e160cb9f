import { workerHandler } from '#shared/platform/jobs/worker.ts';
import { failReport, makeReport } from './make.ts';
import { results } from './results.ts';

export const handler = workerHandler('reports', makeReport, {
  results,
  deadLettered: (work) => failReport(work, work.task.error ?? { code: 'dead_lettered', message: 'The report failed.' }),
});
