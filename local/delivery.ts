import { DeleteMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { lambdaContext } from './lambda-context.ts';
import { type ReceivedMessage, sqsRecord } from './sqs-event.ts';

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a batch response resolves to nothing, as on Lambda
export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse | void>;

export type EventSource = {
  queueUrl: string;
  queueArn: string;
  functionName: string;
  timeoutSeconds: number;
  /** The longest wait of a poll for a message; 1 unless set, because stopping waits for a poll that nobody ends. */
  pollSeconds?: number | undefined;
  /** Messages in one call of the handler, at most 10. */
  batchSize: number;
  /** Calls of the handler at the same time. */
  concurrency: number;
  handler: QueueHandler;
};

/**
 * Calls the handler with one batch and deletes the messages that it did not report as failed. The queue delivers failed
 * messages again after its visibility timeout and counts their attempts.
 */
export async function deliver(client: SQSClient, source: EventSource, messages: ReceivedMessage[]): Promise<void> {
  try {
    const failed = await handle(source, messages);
    await deleteMessages(
      client,
      source,
      messages.filter((message) => !failed.has(message.MessageId)),
    );
  } catch (error) {
    console.error(`${source.functionName}: a batch of ${messages.length} failed and will be delivered again:`, error);
  }
}

async function handle(source: EventSource, messages: ReceivedMessage[]): Promise<Set<string>> {
  const event = { Records: messages.map((message) => sqsRecord(message, source.queueArn)) };
  const answer = await source.handler(event, lambdaContext(source.functionName, source.timeoutSeconds));
  const failed = new Set(answer?.batchItemFailures?.map((failure) => failure.itemIdentifier));
  const known = new Set(messages.map((message) => message.MessageId));
  // For Lambda, an answer that names a message outside the batch is a failure of the whole batch.
  const unknown = [...failed].find((id) => !known.has(id));
  if (unknown !== undefined) throw new Error(`the batch has no message "${unknown}"`);
  return failed;
}

async function deleteMessages(client: SQSClient, source: EventSource, done: ReceivedMessage[]): Promise<void> {
  if (done.length === 0) return;
  const entries = done.map((message, index) => ({ Id: String(index), ReceiptHandle: message.ReceiptHandle }));
  const { Failed = [] } = await client.send(
    new DeleteMessageBatchCommand({ QueueUrl: source.queueUrl, Entries: entries }),
  );
  if (Failed.length > 0)
    throw new Error(`${Failed.length} handled messages could not be deleted: ${Failed[0]?.Message}`);
}
