import { randomUUID } from 'node:crypto';
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/**
 * Sends the dead letters of a queue back to it, oldest first, and answers how many. In the cloud the same is
 * `aws sqs start-message-move-task`, which stand-ins do not serve. A message that is sent but not yet deleted when
 * this breaks off comes twice, which the workers expect anyway.
 */
export async function redrive(client: SQSClient, queue: { url: string; deadLetterUrl: string }): Promise<number> {
  for (let moved = 0; ; moved++) {
    const { Messages } = await client.send(
      new ReceiveMessageCommand({ QueueUrl: queue.deadLetterUrl, MessageSystemAttributeNames: ['MessageGroupId'] }),
    );
    const [message] = Messages ?? [];
    if (message === undefined) return moved;
    const group = message.Attributes?.MessageGroupId;
    // The old deduplication id would drop the message within its five minutes.
    const ordering = group && { MessageGroupId: group, MessageDeduplicationId: randomUUID() };
    await client.send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody: message.Body, ...ordering }));
    await client.send(
      new DeleteMessageCommand({ QueueUrl: queue.deadLetterUrl, ReceiptHandle: message.ReceiptHandle }),
    );
  }
}
