import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Worker } from '#functions/workers/contract.ts';
import { jobs } from '#shared/platform/jobs/jobs.ts';
import { type Poller, startPoller } from './poller.ts';
import { localConcurrency, type QueueAddress } from './queue-setup.ts';

/** Loads the worker of a job and gives it the messages of its queue, one at a call. */
export async function startWorker(
  client: SQSClient,
  queues: readonly QueueAddress[],
  { job, load }: Worker,
  pollSeconds?: number,
): Promise<Poller> {
  const queue = queues.find(({ name }) => name === job);
  if (!queue) throw new Error(`the job ${job} has no queue`);
  const { handler } = await load();
  return startPoller(client, {
    queueUrl: queue.url,
    queueArn: queue.arn,
    functionName: job,
    timeoutSeconds: jobs[job].timeoutSeconds,
    batchSize: 1,
    concurrency: localConcurrency(jobs[job]),
    pollSeconds,
    handler,
  });
}
