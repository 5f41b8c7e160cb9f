import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Settings } from './env.ts';

export type SendOptions = {
  /** The messages of a group are handled in order. */
  group?: string;
  /** SQS drops a message whose id it has seen in the last five minutes. */
  deduplicationId?: string;
};

export type Queues = {
  /** @param queue the queue's name without the deployment's prefix */
  send(queue: string, message: object, options: Required<SendOptions>): Promise<void>;
  /** Lets a received message come again after so many seconds. @param receipt the handle of this delivery */
  returnIn(queue: string, receipt: string, seconds: number): Promise<void>;
  /**
   * The messages that were received and neither deleted nor made visible again, as far as SQS knows. @throws when the
   * queue does not answer
   */
  countInFlight(queue: string): Promise<number>;
};

/** A queue refuses some characters, such as U+FFFE, which a caller may have sent as a name: all but ASCII is escaped. */
const inAscii = (message: object): string =>
  JSON.stringify(message).replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The SQS client is loaded at its first use: it costs 37 ms of a cold start, and most requests send nothing. */
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
    async send(queue, message, { group, deduplicationId }) {
      const { SendMessageCommand } = await import('@aws-sdk/client-sqs');
      await (await connect()).send(
        new SendMessageCommand({
          QueueUrl: url(queue),
          MessageBody: inAscii(message),
          MessageGroupId: group,
          MessageDeduplicationId: deduplicationId,
        }),
      );
    },
    async returnIn(queue, receipt, seconds) {
      const { ChangeMessageVisibilityCommand } = await import('@aws-sdk/client-sqs');
      const message = { QueueUrl: url(queue), ReceiptHandle: receipt, VisibilityTimeout: seconds };
      await (await connect()).send(new ChangeMessageVisibilityCommand(message));
    },
    async countInFlight(queue) {
      const { GetQueueAttributesCommand } = await import('@aws-sdk/client-sqs');
      const name = 'ApproximateNumberOfMessagesNotVisible';
      const asked = new GetQueueAttributesCommand({ QueueUrl: url(queue), AttributeNames: [name] });
      return Number((await (await connect()).send(asked)).Attributes?.[name] ?? 0);
    },
  };
}
