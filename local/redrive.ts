import { randomUUID } from 'node:crypto';
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/**
 * Sends the dead letters of a queue back to it, oldest first, and answers their number. In the cloud,
 * `aws sqs start-message-move-task` does this; the local engine has no such call. If a redrive is interrupted between
 * sending and deleting a message, the message comes twice, which the workers expect anyway.
 */
export async function redrive(client: SQSClient, queue: { url: string; deadLetterUrl: string }): Promise<number> {
  for (let moved = 0; ; moved++) {
    const { Messages } = await client.send(
      new ReceiveMessageCommand({ QueueUrl: queue.deadLetterUrl, MessageSystemAttributeNames: ['MessageGroupId'] }),
    );
    const [message] = Messages ?? [];
    if (message === undefined) return moved;
    const group = message.Attributes?.MessageGroupId;
    // With its old deduplication id the message would be dropped within five minutes.
    const ordering = group && { MessageGroupId: group, MessageDeduplicationId: randomUUID() };
    await client.send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody: message.Body, ...ordering }));
    await client.send(
      new DeleteMessageCommand({ QueueUrl: queue.deadLetterUrl, ReceiptHandle: message.ReceiptHandle }),
    );
  }
}
