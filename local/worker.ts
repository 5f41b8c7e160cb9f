import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Worker } from '#functions/workers/contract.ts';
import { jobs } from '#shared/platform/jobs/jobs.ts';
import { type Poller, startPoller } from './poller.ts';
import { localConcurrency, type QueueAddress } from './queue-setup.ts';

/**
 * Gives the worker of a job the messages of its queue, one at a call. It is loaded with its first message: most systems on one machine
 * never send a letter or write a PDF (docs/decisions/0074).
 */
export function startWorker(
  client: SQSClient,
  queues: readonly QueueAddress[],
  { job, load }: Worker,
  pollSeconds?: number,
): Poller {
  const queue = queues.find(({ name }) => name === job);
  if (!queue) throw new Error(`the job ${job} has no queue`);
  return startPoller(client, {
    queueUrl: queue.url,
    queueArn: queue.arn,
    functionName: job,
    timeoutSeconds: jobs[job].timeoutSeconds,
    batchSize: 1,
    concurrency: localConcurrency(jobs[job]),
    pollSeconds,
    handler: async (event, context) => (await load()).handler(event, context),
  });
}
