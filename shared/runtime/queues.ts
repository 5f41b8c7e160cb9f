import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Settings } from './env.ts';

export type SendOptions = {
  /** FIFO only: messages of a group are worked in order. */
  group?: string;
  /** FIFO only: a message with an id that was seen in the last five minutes is dropped. */
  deduplicationId?: string;
  delaySeconds?: number;
};

export type Queues = {
  /** @param queue its name without the deployment's prefix; that of a FIFO queue ends in `.fifo` */
  send(queue: string, message: object, options?: SendOptions): Promise<void>;
  /** For the status page. @throws when the queue does not answer */
  check(queue: string): Promise<void>;
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
  const url = (queue: string) => `${QUEUE_URL_PREFIX}${queue}`;
  return {
    async send(queue, message, { group, deduplicationId, delaySeconds } = {}) {
      const { SendMessageCommand } = await import('@aws-sdk/client-sqs');
      const fifo = { MessageGroupId: group, MessageDeduplicationId: deduplicationId };
      await (await connect()).send(
        new SendMessageCommand({
          QueueUrl: url(queue),
          MessageBody: JSON.stringify(message),
          ...(queue.endsWith('.fifo') ? fifo : { DelaySeconds: delaySeconds }),
        }),
      );
    },
    async check(queue) {
      const { GetQueueAttributesCommand } = await import('@aws-sdk/client-sqs');
      await (await connect()).send(
        new GetQueueAttributesCommand({ QueueUrl: url(queue), AttributeNames: ['ApproximateNumberOfMessages'] }),
      );
    },
  };
}
