import { SQSClient } from '@aws-sdk/client-sqs';
import { schedules, workers } from '#functions/workers/contract.ts';
import { readSettings } from '#shared/platform/runtime/env.ts';
import type { QueueAddress } from './queue-setup.ts';
import { startSchedule } from './schedule.ts';
import { startWorker } from './worker.ts';

/** Where the workers of a system find their messages. */
export type BackgroundWork = { queues: QueueAddress[]; pollSeconds: number | undefined; schedules: boolean };
export type Background = { stop(): Promise<void> };

/** Does the work of event source mappings and the scheduler in the cloud, with the engines that the environment names. */
export function startBackground({ queues, pollSeconds, schedules: runs }: BackgroundWork): Background {
  const { SQS_ENDPOINT } = readSettings();
  const client = new SQSClient(SQS_ENDPOINT ? { endpoint: SQS_ENDPOINT } : {});
  const pollers = workers.map((worker) => startWorker(client, queues, worker, pollSeconds));
  const parts = [...pollers, ...(runs ? schedules : []).map(startSchedule)];
  return {
    async stop() {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}
