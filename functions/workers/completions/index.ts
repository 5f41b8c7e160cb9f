import { settleTokens } from '#shared/apex/budget.ts';
import { workerHandler } from '#shared/platform/jobs/worker.ts';
import { complete } from './complete.ts';
import { results } from './results.ts';

export const handler = workerHandler('completions', complete, {
  results,
  // release the reservation: a redriven message reserves again
  deadLettered: ({ table, task }) => settleTokens(table, task.id, { inputTokens: 0, outputTokens: 0, seconds: 0 }),
});
