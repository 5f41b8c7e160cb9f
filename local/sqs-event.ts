import type { Message, MessageAttributeValue } from '@aws-sdk/client-sqs';
import type { SQSMessageAttributes, SQSRecord } from 'aws-lambda';

export type ReceivedMessage = Message & { MessageId: string; ReceiptHandle: string };

/** The received messages, without those that lack a required field of the protocol. */
export function isReceived(message: Message): message is ReceivedMessage {
  return message.MessageId !== undefined && message.ReceiptHandle !== undefined;
}

/** The record of a message in an event of Lambda. */
export function sqsRecord(message: ReceivedMessage, queueArn: string): SQSRecord {
  const attributes = message.Attributes ?? {};
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body ?? '',
    attributes: {
      ...attributes,
      ApproximateReceiveCount: attributes.ApproximateReceiveCount ?? '1',
      SentTimestamp: attributes.SentTimestamp ?? '0',
      SenderId: attributes.SenderId ?? '',
      ApproximateFirstReceiveTimestamp: attributes.ApproximateFirstReceiveTimestamp ?? '0',
    },
    messageAttributes: messageAttributes(message.MessageAttributes ?? {}),
    md5OfBody: message.MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: queueArn.split(':')[3] ?? '',
  };
}

function messageAttributes(received: Record<string, MessageAttributeValue>): SQSMessageAttributes {
  const entries = Object.entries(received).map(([name, value]) => [
    name,
    {
      dataType: value.DataType ?? 'String',
      stringValue: value.StringValue,
      binaryValue: value.BinaryValue && Buffer.from(value.BinaryValue).toString('base64'),
      stringListValues: [],
      binaryListValues: [],
    },
  ]);
  return Object.fromEntries(entries);
}
