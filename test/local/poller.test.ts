import { randomUUID } from 'node:crypto';
import {
  ChangeMessageVisibilityCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { localCredentials } from '#local/credentials.ts';
import type { QueueHandler } from '#local/delivery.ts';
import type { Engine } from '#local/engine-process.ts';
import { type Poller, startPoller } from '#local/poller.ts';
import { ensureQueues, type QueueAddress } from '#local/queue-setup.ts';
import { startQueues } from '#local/queues.ts';
import { redrive } from '#local/redrive.ts';

let engine: Engine;
let sqs: SQSClient;
const pollers: Poller[] = [];

beforeAll(async () => {
  engine = await startQueues({});
  sqs = new SQSClient({
    endpoint: engine.endpoint,
    region: 'eu-central-1',
    credentials: localCredentials,
  });
});
afterEach(async () => {
  await Promise.all(pollers.splice(0).map((poller) => poller.stop()));
});
afterAll(async () => {
  sqs.destroy();
  await engine.stop();
});

type QueueOptions = { maxReceiveCount?: number; visibilityTimeoutSeconds?: number };

async function queue(options: QueueOptions = {}): Promise<QueueAddress> {
  const name = `q-${randomUUID()}`;
  const [address] = await ensureQueues(sqs, [{ name, visibilityTimeoutSeconds: 1, maxReceiveCount: 5, ...options }]);
  if (address === undefined) throw new Error('no queue');
  return address;
}

function work(address: QueueAddress, handler: QueueHandler, options = { batchSize: 10, concurrency: 4 }): void {
  const source = { queueUrl: address.url, queueArn: address.arn, functionName: 'worker', timeoutSeconds: 30 };
  pollers.push(startPoller(sqs, { ...source, ...options, handler }));
}

function send(address: QueueAddress, body: string, group: string = randomUUID()) {
  const ordered = { MessageGroupId: group, MessageDeduplicationId: randomUUID() };
  return sqs.send(new SendMessageCommand({ QueueUrl: address.url, MessageBody: body, ...ordered }));
}

/** Resolves once `predicate` holds; looked at whenever a message was handled. */
function recorder() {
  const records: SQSRecord[] = [];
  const waiting: Array<() => void> = [];
  return {
    records,
    bodies: () => records.map((record) => record.body),
    add(event: SQSEvent) {
      records.push(...event.Records);
      for (const check of waiting) check();
    },
    until: (predicate: () => boolean) =>
      new Promise<void>((resolve) => {
        waiting.push(() => predicate() && resolve());
        if (predicate()) resolve();
      }),
  };
}

describe('a worker gets', () => {
  test('the event that Lambda would hand to it, so that code that works here works there', async () => {
    const address = await queue();
    const seen = recorder();
    work(address, async (event) => seen.add(event));
    await send(address, '{"a":1}', 'g1');
    await seen.until(() => seen.records.length === 1);
    expect(seen.records[0]).toEqual({
      messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      receiptHandle: expect.any(String),
      body: '{"a":1}',
      attributes: {
        ApproximateReceiveCount: '1',
        ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
        SentTimestamp: expect.stringMatching(/^\d{13}$/),
        SenderId: expect.any(String),
        MessageGroupId: 'g1',
        MessageDeduplicationId: expect.any(String),
        SequenceNumber: expect.any(String),
      },
      messageAttributes: {},
      md5OfBody: expect.any(String),
      eventSource: 'aws:sqs',
      eventSourceARN: address.arn,
      awsRegion: 'eu-central-1',
    });
  });

  test('the messages of one group in their order, so that an older report never replaces a newer one', async () => {
    const address = await queue();
    const seen = recorder();
    const sent = Array.from({ length: 15 }, (_, index) => `m${index}`);
    for (const body of sent) await send(address, body, 'one');
    let atOnce = 0;
    work(address, async (event) => {
      expect(++atOnce).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      atOnce--;
      seen.add(event);
    });
    await seen.until(() => seen.records.length === sent.length);
    expect(seen.bodies()).toEqual(sent);
  });

  test('two groups at the same time, so that one large import does not hold up everybody else', async () => {
    const address = await queue();
    const arrived = new Set<string | undefined>();
    const seen = recorder();
    let bothArrived: () => void = () => undefined;
    const both = new Promise<void>((resolve) => {
      bothArrived = resolve;
    });
    work(
      address,
      async (event) => {
        arrived.add(event.Records[0]?.attributes.MessageGroupId);
        if (arrived.size === 2) bothArrived();
        await both;
        seen.add(event);
      },
      { batchSize: 1, concurrency: 2 },
    );
    await Promise.all([send(address, 'a', 'g1'), send(address, 'b', 'g2')]);
    await seen.until(() => seen.records.length === 2);
  });
});

describe('a message that fails', () => {
  test('and comes again while its batch goes on is handled after it, and not hidden for minutes', async () => {
    const address = await queue({ visibilityTimeoutSeconds: 120 });
    const seen = recorder();
    let batches = 0;
    await Promise.all([send(address, 'bad', 'g1'), send(address, 'long', 'g2')]);
    work(address, async (event) => {
      const [bad] = event.Records.filter(({ body }) => body === 'bad');
      if (++batches > 1 || !bad) return seen.add(event);
      const again = { QueueUrl: address.url, ReceiptHandle: bad.receiptHandle, VisibilityTimeout: 0 };
      await sqs.send(new ChangeMessageVisibilityCommand(again));
      await new Promise((resolve) => setTimeout(resolve, 500));
      seen.add({ Records: event.Records.filter((record) => record !== bad) });
      return { batchItemFailures: [{ itemIdentifier: bad.messageId }] };
    });
    await seen.until(() => seen.records.length === 2);
    expect(seen.bodies()).toEqual(['long', 'bad']);
  });

  test('comes again alone, so that the rest of its batch is not worked twice', async () => {
    const address = await queue();
    for (const body of ['good', 'bad', 'fine']) await send(address, body);
    const seen = recorder();
    work(address, async (event) => {
      seen.add(event);
      const failed = event.Records.filter((r) => r.body === 'bad' && r.attributes.ApproximateReceiveCount === '1');
      return { batchItemFailures: failed.map((record) => ({ itemIdentifier: record.messageId })) };
    });
    await seen.until(() => seen.bodies().filter((body) => body === 'bad').length === 2);
    expect(seen.bodies().toSorted()).toEqual(['bad', 'bad', 'fine', 'good']);
  });

  test('goes to the dead-letter queue after its last attempt, and a redrive returns it', async () => {
    const address = await queue({ maxReceiveCount: 2 });
    const attempts: string[] = [];
    let mended = false;
    const seen = recorder();
    work(address, async (event) => {
      if (!mended) attempts.push(event.Records[0]?.attributes.ApproximateReceiveCount ?? '');
      if (!mended) throw new Error('broken on purpose');
      seen.add(event);
    });
    await send(address, 'poison', 'g');
    await arrival(address.deadLetterUrl);
    expect(attempts).toEqual(['1', '2']);
    mended = true;
    expect(await redrive(sqs, address)).toBe(1);
    await seen.until(() => seen.bodies().includes('poison'));
  });
});

test('stopping waits for taken messages, so that a restart loses no work', async () => {
  const address = await queue();
  let finished = false;
  let began: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    began = resolve;
  });
  work(address, async () => {
    began();
    await new Promise((resolve) => setTimeout(resolve, 50));
    finished = true;
  });
  await send(address, 'slow');
  await begun;
  await Promise.all(pollers.splice(0).map((poller) => poller.stop()));
  expect(finished).toBe(true);
});

/** Resolves once a message is there, and leaves it visible. */
async function arrival(queueUrl: string): Promise<void> {
  for (;;) {
    const look = { QueueUrl: queueUrl, WaitTimeSeconds: 20, VisibilityTimeout: 0 };
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(look));
    if (Messages.length > 0) return;
  }
}
