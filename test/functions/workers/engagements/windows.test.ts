import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWindows } from '#functions/workers/engagements/windows.ts';
import { type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { pendingRows } from '#shared/scanning/scanner-tasks/queue.ts';
import { createEngagementTask, requestEngagement, runWorker } from '../../../support/engagement-worker.ts';
import { putPool } from '../../../support/scanning.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { type Store, startStore } from '../../../support/store.ts';

let store: Store;
let world: World;
let clock: ReturnType<typeof stopClock>;
let scannerId: string;
beforeEach(async () => {
  store = await startStore();
  clock = stopClock(Date.parse('2025-03-03T20:00:01Z'));
  world = newWorld(store.dynamo);
  scannerId = (await world.link()).id;
});
afterEach(async () => {
  setClock();
  await store.stop();
});

const HOUR = 3600;
const windows = [{ days: ['mon' as const], from: '22:00', to: '02:00', timeZone: 'UTC' }];
const targets = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5'];
const engage = () => createEngagementTask(world, { targets, more: { windows } });

/** A message of the scheduler that a boundary has come. @returns its task's id */
async function boundary(): Promise<string> {
  const before = world.sent.length;
  await world.sweep();
  return Object(world.sent[before]?.message).taskId;
}

/** One delivery of it, which moves two tasks. @returns whether that was the last */
async function deliver(taskId: string): Promise<boolean> {
  const task = (await world.table.rows(taskRows).find({ id: taskId }, true)) as TaskRow;
  const before = world.sent.length;
  const result = await openWindows({ ...world, task }, 2);
  expect(world.sent.slice(before)).toHaveLength(result ? 0 : 1);
  return result !== undefined;
}

async function deliverAll(taskId: string): Promise<number> {
  for (let n = 1; ; n++) if (await deliver(taskId)) return n;
}

const offered = async () => (await world.poll(scannerId, { capacity: 10 })).tasks.map(({ id }) => id);
const queued = () => world.table.rows(pendingRows).query('network||', { consistent: true });

describe('a window with more tasks than one message moves', () => {
  test('opens slice by slice, and every task is offered once', async () => {
    await engage();
    clock.pass(2 * HOUR);
    const taskId = await boundary();
    expect(await deliver(taskId)).toBe(false);
    const first = await offered();
    expect(first).toHaveLength(2);
    expect(await deliver(taskId)).toBe(false);
    expect(await deliver(taskId)).toBe(true);
    const rest = await offered();
    expect(rest).toHaveLength(3);
    expect(new Set([...first, ...rest]).size).toBe(5);
    await world.expectExactCounters();
  });

  test('that closes between slices offers no further task, and offers all again at its next opening', async () => {
    await engage();
    clock.pass(2 * HOUR);
    const opening = await boundary();
    await deliver(opening);
    expect(await queued()).toHaveLength(2);
    clock.pass(4 * HOUR);
    const closing = await boundary();
    await deliver(closing);
    expect(await queued()).toEqual([]);
    await deliverAll(opening);
    await deliverAll(closing);
    expect(await queued()).toEqual([]);
    expect(await offered()).toEqual([]);
    clock.pass(7 * 24 * HOUR - 4 * HOUR);
    expect(await deliverAll(await boundary())).toBe(3);
    expect(await offered()).toHaveLength(5);
    await world.expectExactCounters();
  });

  test('that opens while it is still being closed ends up open', async () => {
    await engage();
    clock.pass(2 * HOUR);
    await deliverAll(await boundary());
    clock.pass(4 * HOUR);
    const closing = await boundary();
    await deliver(closing);
    clock.pass(7 * 24 * HOUR - 4 * HOUR);
    const opening = await boundary();
    await deliver(opening);
    await deliverAll(closing);
    await deliverAll(opening);
    expect(await queued()).toHaveLength(5);
    expect(await offered()).toHaveLength(5);
  });

  test('loses no task when a message is repeated or stops half-way', async () => {
    await engage();
    clock.pass(2 * HOUR);
    const taskId = await boundary();
    const rows = world.table.rows(taskRows);
    const start = await rows.find({ id: taskId }, true);
    await deliver(taskId);
    // what it did was written, where it stood was not
    await rows.set({ id: taskId }, { checkpoint: start?.checkpoint });
    const [taken] = await offered();
    expect(taken).toBeDefined();
    await deliverAll(taskId);
    expect(await offered()).toHaveLength(3);
    await world.expectExactCounters();
  });
});

test('a slice with little time left leaves the rest to the next message and loses no task', async () => {
  await createEngagementTask(world, { targets: ['10.0.0.0/26'], more: { windows, taskTypes: ['web'] } });
  clock.pass(2 * HOUR);
  const taskId = await boundary();
  // a table so slow that each look at the clock is seven seconds later
  let time = Date.parse('2025-03-03T22:00:01Z');
  setClock(() => {
    time += 7000;
    return time;
  });
  const task = (await world.table.rows(taskRows).find({ id: taskId }, true)) as TaskRow;
  expect(await openWindows({ ...world, task })).toBeUndefined();
  const first = await world.table.rows(pendingRows).query('web||', { consistent: true });
  expect(first.length).toBeGreaterThan(0);
  expect(first.length).toBeLessThan(64);
  setClock(() => time);
  await deliverAll(taskId);
  expect(await world.table.rows(pendingRows).query('web||', { consistent: true })).toHaveLength(64);
});

test('no task starts in a shared pool after the windows of its engagement close', async () => {
  const provider = newWorld(store.dynamo);
  const poolId = newId();
  await putPool(store.dynamo, { poolId, providerId: provider.table.organizationId });
  const shared = await provider.link({ publicGroupIds: [poolId] });
  const take = async (capacity = 1) => (await provider.poll(shared.id, { capacity })).tasks.length;
  await createEngagementTask(world, { targets, more: { windows, publicScannerGroupId: poolId } });
  expect(await take()).toBe(0);
  clock.pass(2 * HOUR);
  await deliverAll(await boundary());
  expect(await take()).toBe(1);
  clock.pass(4 * HOUR);
  // the sweeper has not come by yet
  expect(await take()).toBe(0);
  await deliverAll(await boundary());
  expect(await take()).toBe(0);
  clock.pass(7 * 24 * HOUR - 4 * HOUR);
  await deliverAll(await boundary());
  expect(await take(10)).toBe(5);
  await world.expectExactCounters();
});

test('all of the thousands of tasks that are made in an open window are offered', async () => {
  clock.pass(2 * HOUR + 60);
  const more = { windows, taskTypes: ['web'] };
  await createEngagementTask(world, { targets: ['10.0.0.0/20'], more });
  expect(await world.table.rows(pendingRows).query('web||', { consistent: true })).toHaveLength(4096);
});

test('tasks that are made in an open window are offered in it, even if a replica does not have them yet', async () => {
  clock.pass(3 * HOUR);
  const dynamo = store.connect();
  dynamo.client.middlewareStack.add(
    (next) => async (args) => {
      const { output, ...more } = (await next(args)) as { output: { Responses?: object }; response: unknown };
      const [read] = Object.values((args.input as { RequestItems?: object }).RequestItems ?? {});
      const isLate = output.Responses !== undefined && !read.ConsistentRead;
      return { ...more, output: isLate ? { ...output, Responses: {} } : output } as never;
    },
    { step: 'initialize', name: 'late-replica', priority: 'high' },
  );
  const { task } = await requestEngagement(world, { targets, more: { windows } });
  await runWorker(newWorld(dynamo, openTable(dynamo, world.table.organizationId)), task.id);
  expect((await world.poll(scannerId, { capacity: 5 })).tasks).toHaveLength(5);
});
