import { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, describe, expect, test } from 'vitest';
import { localCredentials, localRegion } from '#local/credentials.ts';
import { startPoller } from '#local/poller.ts';
import { ensureQueues, localConcurrency, queueDeclarations } from '#local/queue-setup.ts';
import { startQueues } from '#local/queues.ts';
import { type JobName, jobNames, jobs } from '#shared/platform/jobs/jobs.ts';
import { APART, laneOf, sendMessage } from '#shared/platform/jobs/send.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openQueues } from '#shared/platform/runtime/queues.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';

Object.assign(process.env, {
  AWS_REGION: localRegion,
  AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
});
const engine = await startQueues({});
const client = new SQSClient({ endpoint: engine.endpoint });
const addresses = await ensureQueues(client, queueDeclarations());
const queues = openQueues({
  QUEUE_URL_PREFIX: `${engine.endpoint}/000000000000/`,
  SQS_ENDPOINT: engine.endpoint,
} as Parameters<typeof openQueues>[0]);

afterAll(async () => {
  client.destroy();
  await engine.stop();
});

type Sent = { organizationId: string; group: string; n: number };

/** Messages of a job, which are worked for as long as the test wants, in as many places as one machine has. */
function watch(name: JobName) {
  const { url, arn } = addresses.find((address) => address.name === name) ?? { url: '', arn: '' };
  const begun: Sent[] = [];
  const released = Promise.withResolvers<void>();
  const waiting: (() => void)[] = [];
  let running = 0;
  const handler = async ({ Records }: SQSEvent) => {
    running += 1;
    for (const { body } of Records) begun.push(JSON.parse(body));
    for (const look of waiting) look();
    await (begun.at(-1)?.organizationId === slow ? released.promise : undefined);
    running -= 1;
  };
  let slow = '';
  const source = { queueUrl: url, queueArn: arn, functionName: name, timeoutSeconds: 30 };
  const poller = startPoller(client, { ...source, batchSize: 1, concurrency: localConcurrency(jobs[name]), handler });
  return {
    begun,
    running: () => running,
    holdUp(organizationId: string) {
      slow = organizationId;
    },
    until: (is: () => boolean) =>
      new Promise<void>((resolve) => {
        waiting.push(() => is() && resolve());
        if (is()) resolve();
      }),
    async end() {
      released.resolve();
      await poller.stop();
    },
    release: () => released.resolve(),
  };
}

const send = (name: JobName, message: Sent) =>
  sendMessage({ queues }, name, message, { group: message.group, deduplicationId: newId() });

const GROUPS = 100;

/** Work of one organization in a hundred groups, such as repositories, collectors or tickets of its choice. */
const flood = (name: JobName, organizationId: string) =>
  Promise.all(Array.from({ length: GROUPS }, (_, n) => send(name, { organizationId, group: `g${n}`, n: 0 })));

describe.each(jobNames)('of the job %s', { concurrent: true }, (name) => {
  test("another organization's message is worked at once while one organization has slow work in a hundred groups", async () => {
    const [many, other] = [newId(), newId()];
    const work = watch(name);
    work.holdUp(many);
    await flood(name, many);
    await work.until(() => work.running() === jobs[name].perOrganization);
    await send(name, { organizationId: other, group: 'g0', n: 0 });
    await work.until(() => work.begun.some(({ organizationId }) => organizationId === other));
    // none of the flood has ended, and no more of it has begun
    expect(work.begun.filter(({ organizationId }) => organizationId === many)).toHaveLength(jobs[name].perOrganization);
    work.release();
    await work.until(() => work.begun.length === GROUPS + 1);
    await work.end();
  });

  test('an organization has less than half of the places, in the cloud and of one machine', () => {
    const { concurrency, perOrganization } = jobs[name];
    const most = perOrganization + (name === 'deliveries' ? APART : 0);
    expect(most * 2).toBeLessThanOrEqual(concurrency);
    expect(most).toBeLessThan(localConcurrency(jobs[name]));
  });
});

test('each group of an organization keeps its order', async () => {
  const organizationId = newId();
  const sent = Array.from({ length: 30 }, (_, n) => ({ organizationId, group: `g${n % 10}`, n }));
  for (const message of sent) await send('webhooks', message);
  const work = watch('webhooks');
  await work.until(() => work.begun.length === sent.length);
  await work.end();
  for (const { group } of sent.slice(0, 10)) {
    const numbers = work.begun.filter((one) => one.group === group).map(({ n }) => n);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  }
});

test('events of the payment processor, which name no organization yet, are kept apart by customer', async () => {
  const event = (group: string, n: number) => send('billing', { organizationId: GLOBAL_SCOPE, group, n });
  const work = watch('billing');
  work.holdUp(GLOBAL_SCOPE);
  for (let n = 0; n < 20; n++) await event('customer-a', n);
  await work.until(() => work.running() === 1);
  await event('customer-b', 0);
  await work.until(() => work.running() === 2);
  expect(work.begun.map(({ group }) => group)).toEqual(['customer-a', 'customer-b']);
  await work.end();
});

test('the lanes of an organization are used alike', () => {
  const [organizationId, groups] = [newId(), Array.from({ length: 600 }, () => newId())];
  const lanes = Map.groupBy(groups, (group) => laneOf(jobs.ticketing, organizationId, { group }));
  expect(lanes.size).toBe(jobs.ticketing.perOrganization);
  for (const [lane, of] of lanes) {
    expect(lane.startsWith(organizationId)).toBe(true);
    expect(of.length).toBeGreaterThan(50);
  }
});
