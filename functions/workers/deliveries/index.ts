import { jobs } from '#shared/platform/jobs/jobs.ts';
import { workerHandler } from '#shared/platform/jobs/worker.ts';
import { noteGivenUp } from './health.ts';
import { results } from './results.ts';
import { sendEvents } from './send-events.ts';

export const handler = workerHandler('deliveries', noTask, {
  results,
  visit: (context, message) => sendEvents(context, endpointIn(message)),
  visitGivenUp: ({ table }, message, reason) => noteGivenUp(table, endpointIn(message), reason),
});

const endpointIn = (message: object): string => jobs.deliveries.message.parse(message).endpointId;

/** @throws Error always: the messages of this queue name endpoints */
async function noTask(): Promise<never> {
  throw new Error('the events of an endpoint have no task');
}
