import { settleTokens } from '#shared/apex/budget.ts';
import { workerHandler } from '#shared/jobs/worker.ts';
import { complete } from './complete.ts';

export const handler = workerHandler('completions', complete, {
  // What it reserved is given back: nobody may ever redrive it, and one that is redriven reserves anew.
  deadLettered: ({ table, task }) => settleTokens(table, task.id, { inputTokens: 0, outputTokens: 0, seconds: 0 }),
});
