/*
 * Writes to the three engines as fast as they acknowledge and prints each acknowledged write, until the process is
 * killed. crash.test.ts runs this file in a process of its own: `crash-writer.ts <data dir>`.
 */

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { ensureBucket } from '#local/bucket-setup.ts';
import { localCredentials, localRegion } from '#local/credentials.ts';
import { startDynamoDb } from '#local/dynamodb.ts';
import { startObjectStore } from '#local/object-store/server.ts';
import { ensureQueues } from '#local/queue-setup.ts';
import { startQueues } from '#local/queues.ts';
import { ensureTable } from '#local/table-setup.ts';

const dataDir = process.argv[2] ?? '';
const dynamoDb = await startDynamoDb({ dataDir, logFile: join(dataDir, 'dynamodb.log') });
const queues = await startQueues({ dataDir: join(dataDir, 'queues') });
const objects = await startObjectStore({ dataDir: join(dataDir, 'objects') });
const config = { region: localRegion, credentials: localCredentials };
const table = new DynamoDBClient({ ...config, endpoint: dynamoDb.endpoint });
const sqs = new SQSClient({ ...config, endpoint: queues.endpoint });
const s3 = new S3Client({ ...config, endpoint: objects.endpoint, forcePathStyle: true });

await ensureTable(table, 'main');
await ensureBucket(s3, 'reports');
// On a slow machine a message is received many times, and must not become a dead letter.
const [fifo] = await ensureQueues(sqs, [{ name: 'jobs', visibilityTimeoutSeconds: 1, maxReceiveCount: 1000 }]);
const QueueUrl = fifo?.url ?? '';

/** Prints a line in one write: a write whose line is missing after the kill was not acknowledged. */
const acknowledge = (line: string) => writeSync(1, `${line}\n`);
const item = (id: string) => ({ pk: { S: id }, sk: { S: 'item' }, padding: { S: 'x'.repeat(1_000) } });

async function forever(step: (round: number) => Promise<void>): Promise<never> {
  for (let round = 0; ; round++) await step(round);
}

acknowledge('ready');
await Promise.all([
  forever(async (n) => {
    await table.send(new PutItemCommand({ TableName: 'main', Item: item(`put-${n}`) }));
    acknowledge(`item put-${n}`);
  }),
  forever(async (n) => {
    const ids = Array.from({ length: 20 }, (_, index) => `tx-${n}-${index}`);
    const puts = ids.map((id) => ({ Put: { TableName: 'main', Item: item(id) } }));
    await table.send(new TransactWriteItemsCommand({ TransactItems: puts }));
    for (const id of ids) acknowledge(`item ${id}`);
  }),
  forever(async (n) => {
    const group = `g${n % 3}`;
    const message = { QueueUrl, MessageBody: `m${n}`, MessageGroupId: group, MessageDeduplicationId: `m${n}` };
    await sqs.send(new SendMessageCommand(message));
    acknowledge(`message ${group} m${n}`);
  }),
  // Some messages are with a worker at the moment of the kill.
  forever(async () => {
    await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 1 }));
  }),
  forever(async (n) => {
    await s3.send(new PutObjectCommand({ Bucket: 'reports', Key: `o${n}`, Body: `content of o${n}`.repeat(1_000) }));
    acknowledge(`object o${n}`);
  }),
  forever(async (n) => {
    await s3.send(new PutObjectCommand({ Bucket: 'reports', Key: 'same', Body: String(n % 10).repeat(2_000_000) }));
    acknowledge(`version ${n % 10}`);
  }),
]);
