import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { BatchGetItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localCredentials, localRegion } from '#local/credentials.ts';
import { startDynamoDb } from '#local/dynamodb.ts';
import type { Engine } from '#local/engine-process.ts';
import { startObjectStore } from '#local/object-store/server.ts';
import { startPoller } from '#local/poller.ts';
import { ensureQueues } from '#local/queue-setup.ts';
import { startQueues } from '#local/queues.ts';

const writer = fileURLToPath(new URL('crash-writer.ts', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'crash-'));
const config = { region: localRegion, credentials: localCredentials };
const engines: Engine[] = [];
let acknowledged: string[] = [];

/** The acknowledged writes of one kind. */
const of = (kind: string) =>
  acknowledged.filter((line) => line.startsWith(`${kind} `)).map((l) => l.slice(kind.length + 1));

async function started(engine: Promise<Engine>): Promise<string> {
  const { endpoint, stop } = await engine;
  engines.push({ endpoint, stop });
  return endpoint;
}

/** Lets the writer work until a number of its writes were acknowledged, and kills it in the middle of others. */
beforeAll(async () => {
  const child: ChildProcess = spawn(process.execPath, [writer, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('no output');
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    if (lines.length === 3_000) child.kill('SIGKILL');
  });
  await once(child, 'close');
  acknowledged = lines;
});
afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.stop()));
  rmSync(dataDir, { recursive: true, force: true });
});

test('a killed table starts again at once with every acknowledged item', async () => {
  const endpoint = await started(startDynamoDb({ dataDir, logFile: join(dataDir, 'dynamodb.log') }));
  const table = new DynamoDBClient({ ...config, endpoint });
  const ids = of('item');
  const found = new Set<string | undefined>();
  for (let from = 0; from < ids.length; from += 100) {
    const Keys = ids.slice(from, from + 100).map((id) => ({ pk: { S: id }, sk: { S: 'item' } }));
    const { Responses } = await table.send(new BatchGetItemCommand({ RequestItems: { main: { Keys } } }));
    for (const item of Responses?.main ?? []) found.add(item.pk?.S);
  }
  expect(ids.length).toBeGreaterThan(100);
  expect(ids.filter((id) => !found.has(id))).toEqual([]);
});

test('killed queues deliver every acknowledged message, each group in its order', async () => {
  const endpoint = await started(startQueues({ dataDir: join(dataDir, 'queues') }));
  const sqs = new SQSClient({ ...config, endpoint });
  const declaration = { name: 'jobs', visibilityTimeoutSeconds: 1, maxReceiveCount: 1000 };
  const [queue] = await ensureQueues(sqs, [declaration]);
  const sent = of('message');
  const arrived: string[] = [];
  const all = Promise.withResolvers<void>();
  const poller = startPoller(sqs, {
    queueUrl: queue?.url ?? '',
    queueArn: queue?.arn ?? '',
    functionName: 'worker',
    timeoutSeconds: 10,
    batchSize: 10,
    concurrency: 4,
    handler: async (event) => {
      for (const { attributes, body } of event.Records) arrived.push(`${attributes.MessageGroupId} ${body}`);
      if (sent.every((message) => arrived.includes(message))) all.resolve();
    },
  });
  await all.promise;
  await poller.stop();
  expect(sent.length).toBeGreaterThan(10);
  for (const group of ['g0', 'g1', 'g2']) {
    const inGroup = (message: string) => message.startsWith(group);
    expect(arrived.filter(inGroup).slice(0, sent.filter(inGroup).length)).toEqual(sent.filter(inGroup));
  }
});

test('a killed object store has every acknowledged object whole', async () => {
  const endpoint = await started(startObjectStore({ dataDir: join(dataDir, 'objects') }));
  const s3 = new S3Client({ ...config, endpoint, forcePathStyle: true });
  const read = async (Key: string) => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'reports', Key }));
    return (await Body?.transformToString()) ?? '';
  };
  const keys = of('object');
  expect(keys.length).toBeGreaterThan(10);
  for (const key of keys) expect(await read(key)).toBe(`content of ${key}`.repeat(1_000));
  const version = await read('same');
  expect(version).toBe((version[0] ?? '').repeat(2_000_000));
  const last = Number(of('version').at(-1) ?? 0);
  expect([last, (last + 1) % 10]).toContain(Number(version[0]));
});
