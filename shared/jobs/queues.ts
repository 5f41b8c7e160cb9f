import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Settings } from '../env.ts';
import { type JobMessage, type JobName, jobs, queueName } from './jobs.ts';

export type SendOptions = {
  /** FIFO only: messages of a group are worked in order. */
  group?: string;
  /** FIFO only: a message with an id that was seen in the last five minutes is dropped. */
  deduplicationId?: string;
  delaySeconds?: number;
};

export type Queues = {
  send<N extends JobName>(name: N, message: JobMessage<N>, options?: SendOptions): Promise<void>;
  /** Seconds until the queue answered, for the status page. @throws when it does not */
  check(name: JobName): Promise<void>;
};

/** Queues are reached lazily: the client costs 37 ms of a cold start, and most requests send nothing. */
export function openQueues({ QUEUE_URL_PREFIX, SQS_ENDPOINT }: Settings): Queues {
  let client: Promise<SQSClient> | undefined;
  const connect = () => {
    client ??= import('@aws-sdk/client-sqs').then(
      ({ SQSClient }) => new SQSClient(SQS_ENDPOINT ? { endpoint: SQS_ENDPOINT } : {}),
    );
    return client;
  };
  const url = (name: JobName) => `${QUEUE_URL_PREFIX}${queueName(jobs[name])}`;
  return {
    async send(name, message, { group, deduplicationId, delaySeconds } = {}) {
      const { SendMessageCommand } = await import('@aws-sdk/client-sqs');
      const fifo = { MessageGroupId: group, MessageDeduplicationId: deduplicationId };
      await (await connect()).send(
        new SendMessageCommand({
          QueueUrl: url(name),
          MessageBody: JSON.stringify(message),
          ...(jobs[name].fifo ? fifo : { DelaySeconds: delaySeconds }),
        }),
      );
    },
    async check(name) {
      const { GetQueueAttributesCommand } = await import('@aws-sdk/client-sqs');
      await (await connect()).send(
        new GetQueueAttributesCommand({ QueueUrl: url(name), AttributeNames: ['ApproximateNumberOfMessages'] }),
      );
    },
  };
}
