import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, expect, test } from 'vitest';
import { handler } from '#functions/workers/ingest/index.ts';
import type { QueueHandler } from '#local/delivery.ts';
import { startPoller } from '#local/poller.ts';
import { ensureQueues } from '#local/queue-setup.ts';
import { startQueues } from '#local/queues.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { isFinished, type TaskRow } from '#shared/platform/jobs/task.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { openQueues } from '#shared/platform/runtime/queues.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { until } from '../../../support/wait.ts';
import { expectSound } from './expectations.ts';
import { codeScan, problems, repository, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
const engine = await startQueues({});
const client = new SQSClient({ endpoint: engine.endpoint });
const { settings, queues } = world.connections;
const prefix = { QUEUE_URL_PREFIX: `${engine.endpoint}/000000000000/`, SQS_ENDPOINT: engine.endpoint };
Object.assign(queues, openQueues({ ...settings, ...prefix }));
const [queue] = await ensureQueues(client, [{ name: 'ingest', visibilityTimeoutSeconds: 1800, maxReceiveCount: 5 }]);
if (!queue) throw new Error('no queue');

/** Deliveries by organization: how many are worked at once at most, and those that are not the message's first. */
const running = new Map<string, number>();
const most = new Map<string, number>();
const deliveries = new Map<string, number>();
let mostOfAll = 0;
let repeated = 0;
const watched: QueueHandler = async (event, context) => {
  const [record] = event.Records;
  const { organizationId } = JSON.parse(record?.body ?? '{}');
  if (record?.attributes.ApproximateReceiveCount !== '1') repeated++;
  deliveries.set(organizationId, (deliveries.get(organizationId) ?? 0) + 1);
  const now = (running.get(organizationId) ?? 0) + 1;
  running.set(organizationId, now);
  most.set(organizationId, Math.max(most.get(organizationId) ?? 0, now));
  mostOfAll = Math.max(
    mostOfAll,
    [...running.values()].reduce((sum, count) => sum + count),
  );
  try {
    return await handler(event, context);
  } finally {
    running.set(organizationId, (running.get(organizationId) ?? 1) - 1);
  }
};
const source = { queueUrl: queue.url, queueArn: queue.arn, functionName: 'ingest', timeoutSeconds: 300 };
const poller = startPoller(client, { ...source, batchSize: 1, concurrency: 4, handler: watched });

afterEach(() => setClock());
afterAll(async () => {
  await poller.stop();
  client.destroy();
  await engine.stop();
  await world.stop();
});

function ended(table: Table, ids: readonly string[]): Promise<TaskRow[]> {
  const read = () => Promise.all(ids.map((id) => world.task(table, id)));
  return until(read, (tasks) => tasks.every(isFinished));
}

test('ten imports of one organization at once all succeed, and leave workers to another organization', async () => {
  const [many, other] = [world.newOrganization(), world.newOrganization()];
  const names = Array.from({ length: 10 }, (_, n) => `shop-${n}`);
  const ids = await Promise.all(
    names.map((name) => world.accept(many, codeScan(sarif(problems(30)), { target: repository(name) }))),
  );
  const others = await Promise.all(
    ['a', 'b'].map((name) => world.accept(other, codeScan(sarif(problems(30)), { target: repository(name) }))),
  );
  const tasks = [...(await ended(many, ids)), ...(await ended(other, others))];
  expect(tasks.map(({ result }) => result?.created)).toEqual(Array(12).fill(30));
  expect([most.get(many.organizationId), most.get(other.organizationId), mostOfAll]).toEqual([1, 1, 2]);
  expect(repeated).toBe(0);
  await expectSound(many);
});

test('a small import that comes after a large one of the same organization is done first', async () => {
  const table = world.newOrganization();
  let now = Date.now();
  setClock(() => {
    now += 1_000;
    return now;
  });
  const large = await world.accept(table, codeScan(sarif(problems(2100))));
  const small = await world.accept(table, codeScan(sarif(problems(20)), { target: repository('small') }));
  const [first, last] = await ended(table, [small, large]);
  expect([first?.status, last?.status]).toEqual(['succeeded', 'succeeded']);
  expect(Date.parse(first?.finishedAt ?? '')).toBeLessThan(Date.parse(last?.finishedAt ?? ''));
  expect((await table.list(findings, { paginateFrom: 0, paginateSize: 1 })).totalCount).toBe(2120);
});

test('a large import gives way only while another import of its organization waits', async () => {
  const { bucket } = world.connections;
  const [{ get }, start] = [bucket, Date.now()];
  let chunks = 0;
  bucket.get = (key) => {
    if (key.includes('/chunk-')) chunks += 1;
    return get(key);
  };
  setClock(() => start + chunks * 5_000);
  const large = codeScan(sarif(problems(2100)));
  const small = codeScan(sarif(problems(3)), { target: repository('small') });
  const deliveriesOf = async (reports: (typeof large)[]) => {
    const table = world.newOrganization();
    const ids: string[] = [];
    for (const report of reports) ids.push(await world.accept(table, report));
    await ended(table, ids);
    return deliveries.get(table.organizationId);
  };
  expect(await deliveriesOf([large])).toBe(1);
  expect(await deliveriesOf([large, small])).toBe(3);
  bucket.get = get;
});

test('an import whose worker failed goes on within seconds, and holds up the others of its organization no longer', async () => {
  const table = world.newOrganization();
  const { bucket } = world.connections;
  const get = bucket.get;
  bucket.get = async () => {
    bucket.get = get;
    throw new Error('the bucket does not answer');
  };
  const failing = await world.accept(table, codeScan(sarif(problems(3))));
  const next = await world.accept(table, codeScan(sarif(problems(2)), { target: repository('small') }));
  const tasks = await ended(table, [failing, next]);
  expect(tasks.map(({ result }) => result?.created)).toEqual([3, 2]);
});
