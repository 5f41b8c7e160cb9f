import { jobs } from '#shared/platform/jobs/jobs.ts';
import { workerHandler } from '#shared/platform/jobs/worker.ts';
import { results } from './results.ts';
import { giveUpBatch, workBatch } from './work-batch.ts';

export const handler = workerHandler('siem', noTask, {
  results,
  visit: (visit, message) => workBatch(visit, jobs.siem.message.parse(message)),
  visitGivenUp: (visit, message, reason) => giveUpBatch(visit, jobs.siem.message.parse(message), reason),
});

/** @throws Error always: the messages of this queue name batches */
async function noTask(): Promise<never> {
  throw new Error('a batch of events has no task');
}
