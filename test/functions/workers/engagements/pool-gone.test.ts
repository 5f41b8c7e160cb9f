import { afterEach, beforeEach, expect, test } from 'vitest';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { engagementRuns } from '#shared/scanning/engagements/engagement-run.ts';
import { openPools, type Pool, poolRows } from '#shared/scanning/scanner-tasks/pools.ts';
import { createEngagementTask, runWorker } from '../../../support/engagement-worker.ts';
import { putPool } from '../../../support/scanning.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { type Store, startStore } from '../../../support/store.ts';

let store: Store;
let clock: ReturnType<typeof stopClock>;
let client: World;
let poolId: string;
const providerId = newId();
beforeEach(async () => {
  store = await startStore();
  clock = stopClock(Date.parse('2025-03-03T09:00:01Z'));
  client = newWorld(store.dynamo);
  poolId = newId();
  await changePool({});
});
afterEach(async () => {
  setClock();
  await store.stop();
});

const changePool = (more: Partial<Pool>) => putPool(store.dynamo, { poolId, providerId, ...more });
const hidden = { visibility: 'selected' as const, organizationIds: [] };

const schedule = { startAt: '2025-03-03T10:00:00Z', recurrence: 'FREQ=DAILY;COUNT=3', timeZone: 'UTC' };
const engage = (more: object = {}, targets = ['192.0.2.1', '192.0.2.2']) =>
  createEngagementTask(client, { targets, more: { publicScannerGroupId: poolId, schedule, ...more } });

const read = (id: string) => client.table.get(engagements, id);
const runsOf = async (id: string) => {
  const parent = { engagement: id };
  const { data } = await client.table.list(engagementRuns, { paginateFrom: 0, paginateSize: 50, parent });
  return data.map(({ number, status, statusReason }) => ({ number, status, statusReason }));
};

/** The run that the sweeper starts, from its message. */
async function nextRun(): Promise<string> {
  const before = client.sent.length;
  await client.sweep();
  const [sent] = client.sent.slice(before);
  return Object(sent?.message).taskId;
}

test('a recurring engagement whose pool is hidden loses that run, and runs again when the pool is back', async () => {
  const { id } = await engage();
  await changePool(hidden);
  clock.pass(3600);
  const taskId = await nextRun();
  await expect(runWorker(client, taskId)).rejects.toMatchObject({ code: 'conflict' });
  const statusReason = expect.stringContaining(`Frankfurt (${poolId})`);
  expect(await read(id)).toMatchObject({
    status: 'scheduled',
    statusReason: null,
    nextRunAt: '2025-03-04T10:00:00.000Z',
    lastRun: { status: 'failed', statusReason, finishedAt: '2025-03-03T10:00:01.000Z' },
  });
  await changePool({});
  // the message of the failed run once more
  expect(await runWorker(client, taskId)).toMatchObject({ scannerTasks: 0 });
  expect(await client.tasks()).toEqual([]);
  clock.pass(86_400);
  await runWorker(client, await nextRun());
  expect(await client.tasks()).toHaveLength(2);
  expect(await read(id)).toMatchObject({ lastRun: { status: 'running' } });
  expect((await read(id)).lastRun?.statusReason).toBeUndefined();
  expect(await runsOf(id)).toEqual([
    { number: 2, status: 'running', statusReason: null },
    { number: 1, status: 'failed', statusReason },
  ]);
  await client.expectExactCounters();
});

test('an engagement without a further start fails with the name of the missing pool', async () => {
  const { id } = await engage({ schedule: { ...schedule, recurrence: null } });
  await openPools(store.dynamo).rows(poolRows).remove({ poolId });
  clock.pass(3600);
  await expect(runWorker(client, await nextRun())).rejects.toMatchObject({ code: 'conflict' });
  const statusReason = expect.stringContaining(poolId);
  expect(await read(id)).toMatchObject({ status: 'failed', statusReason, nextRunAt: null, wakeAt: null });
  expect(await runsOf(id)).toEqual([{ number: 1, status: 'failed', statusReason }]);
  clock.pass(86_400);
  expect(await nextRun()).toBeUndefined();
});

test('a closed pool delays a run and does not lose it', async () => {
  const { id } = await engage();
  await changePool({ enabled: false });
  clock.pass(3600);
  await runWorker(client, await nextRun());
  expect(await client.tasks()).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
  expect(await read(id)).toMatchObject({ lastRun: { status: 'running' } });
});

test('a run that has begun gets all of its tasks, so that a client knows what was scanned', async () => {
  const { id } = await engage({ taskTypes: ['web'] }, ['11.0.0.0/20']);
  clock.pass(3600);
  const taskId = await nextRun();
  expect(await runWorker(client, taskId)).toBeUndefined();
  await changePool(hidden);
  expect(await runWorker(client, taskId)).toMatchObject({ scannerTasks: 4096 });
  expect(await read(id)).toMatchObject({ lastRun: { status: 'running' } });
});
