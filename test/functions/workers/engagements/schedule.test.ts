import { describe, expect, test } from 'vitest';
import { openWindows } from '#functions/workers/engagements/windows.ts';
import { newTask, type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { engagementRuns } from '#shared/scanning/engagements/engagement-run.ts';
import { modifyEngagement } from '#shared/scanning/engagements/modify.ts';
import { withWaitingReasons } from '#shared/scanning/scanner-tasks/waiting.ts';
import { actor } from '../../../support/actor.ts';
import { createEngagementTask, runWorker } from '../../../support/engagement-worker.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

/** One each: what the sweeper looks at is not of one organization alone. */
const store = useStore('test');

/** Sweeps, and works what the sweeper sent. @returns the operations of it */
async function sweepAndWork(world: World): Promise<string[]> {
  const before = world.sent.length;
  await world.sweep();
  const operations: string[] = [];
  for (const { message } of world.sent.slice(before)) {
    const task = (await world.table.rows(taskRows).find({ id: Object(message).taskId }, true)) as TaskRow;
    operations.push(task.operation);
    if (task.operation === 'open_windows') await openWindows({ ...world, task });
    else await runWorker(world, task.id);
  }
  return operations;
}

const runsOf = async ({ table }: World, id: string) => {
  const paging = { paginateFrom: 0, paginateSize: 50 };
  return (await table.list(engagementRuns, { ...paging, parent: { engagement: id } })).data;
};

async function workAll(world: World, scannerId: string): Promise<number> {
  const { tasks } = await world.poll(scannerId, { capacity: 10 });
  const results = tasks.map(({ id }) => ({ taskId: id, outcome: 'completed', reports: [] }));
  await world.complete(scannerId, results);
  return tasks.length;
}

const inWorld = (world: World, more: object) =>
  createEngagementTask(
    { table: world.table, connections: world.connections },
    { targets: ['10.0.0.1', '10.0.0.2'], more },
  );

describe('an engagement with a start', () => {
  test('makes no task before its start, and is started by the scheduler', async () => {
    const clock = stopClock(Date.parse('2025-03-03T10:00:01Z'));
    const world = newWorld(store.dynamo);
    const schedule = { startAt: '2025-03-03T12:00:00Z', recurrence: null, timeZone: 'UTC' };
    const { id } = await inWorld(world, { schedule });
    expect(await world.table.get(engagements, id)).toMatchObject({
      status: 'scheduled',
      nextRunAt: '2025-03-03T12:00:00.000Z',
      wakeAt: '2025-03-03T12:00:00.000Z',
    });
    clock.pass(3600);
    expect(await sweepAndWork(world)).toEqual([]);
    expect(await world.tasks()).toHaveLength(0);
    clock.pass(3600);
    expect(await sweepAndWork(world)).toEqual(['run_engagement']);
    expect(await world.tasks()).toHaveLength(2);
    expect(await world.table.get(engagements, id)).toMatchObject({
      status: 'scheduled',
      nextRunAt: null,
      wakeAt: null,
    });
    expect(await sweepAndWork(world)).toEqual([]);
    await world.expectExactCounters();
  });
});

test('an engagement in the far future does not keep the scheduler from engagements that are due', async () => {
  stopClock(Date.parse('2025-03-03T10:00:01Z'));
  const world = newWorld(store.dynamo);
  const { id } = await inWorld(world, {
    schedule: { startAt: '2400-01-01T00:00:00Z', recurrence: null, timeZone: 'UTC' },
  });
  const { version } = await world.table.get(engagements, id);
  await world.sweep();
  expect(await world.table.get(engagements, id)).toMatchObject({ version, nextRunAt: '2400-01-01T00:00:00.000Z' });
});

describe('a recurring engagement', () => {
  const schedule = { startAt: '2025-03-03T10:00:00Z', recurrence: 'FREQ=DAILY;COUNT=4', timeZone: 'UTC' };

  test('runs repeatedly, and shows each run with its own tasks', async () => {
    const clock = stopClock(Date.parse('2025-03-03T09:00:01Z'));
    const world = newWorld(store.dynamo);
    const { id: scannerId } = await world.link();
    const { id } = await inWorld(world, { schedule });
    clock.pass(3600);
    for (let day = 0; day < 4; day++) {
      expect(await sweepAndWork(world)).toEqual(['run_engagement']);
      expect(await workAll(world, scannerId)).toBe(2);
      const isLast = day === 3;
      expect(await world.table.get(engagements, id)).toMatchObject({
        status: isLast ? 'completed' : 'scheduled',
        runs: day + 1,
      });
      clock.pass(86_400);
    }
    expect(await sweepAndWork(world)).toEqual([]);
    const runs = await runsOf(world, id);
    expect(runs.map(({ number, status, tasks }) => ({ number, status, ...tasks }))).toEqual(
      [4, 3, 2, 1].map((number) => ({ number, status: 'completed', completed: 2, failed: 0, cancelled: 0 })),
    );
    expect(runs.at(-1)).toMatchObject({ scheduledFor: '2025-03-03T10:00:00.000Z' });
    await world.expectExactCounters();
  });

  test('lists a start as skipped while the previous run is not done', async () => {
    const clock = stopClock(Date.parse('2025-03-03T09:00:01Z'));
    const world = newWorld(store.dynamo);
    const { id } = await inWorld(world, { schedule });
    clock.pass(3600);
    await sweepAndWork(world);
    clock.pass(86_400);
    expect(await sweepAndWork(world)).toEqual([]);
    expect((await runsOf(world, id)).map(({ status, number }) => `${number} ${status}`)).toEqual([
      '2 skipped',
      '1 running',
    ]);
    expect(await world.tasks()).toHaveLength(2);
    expect(await world.table.get(engagements, id)).toMatchObject({ nextRunAt: '2025-03-05T10:00:00.000Z' });
  });

  test('a sweep that is repeated, or whose messages are lost, makes each run once', async () => {
    const clock = stopClock(Date.parse('2025-03-03T09:00:01Z'));
    const world = newWorld(store.dynamo);
    const { id } = await inWorld(world, { schedule });
    clock.pass(3600);
    await Promise.allSettled([world.sweep(), world.sweep(), world.sweep()]);
    const messages = new Set(world.sent.map(({ message }) => Object(message).taskId));
    expect(messages.size).toBe(1);
    for (const taskId of [...messages, ...messages]) await runWorker(world, taskId);
    expect(await runsOf(world, id)).toHaveLength(1);
    expect(await world.tasks()).toHaveLength(2);
  });
});

test('a run whose engagement is cancelled before its tasks are made ends with it', async () => {
  const clock = stopClock(Date.parse('2025-03-03T09:00:01Z'));
  const world = newWorld(store.dynamo);
  const schedule = { startAt: '2025-03-03T10:00:00Z', recurrence: 'FREQ=DAILY', timeZone: 'UTC' };
  const { id } = await inWorld(world, { schedule });
  clock.pass(3600);
  await world.sweep();
  await modifyEngagement(world.table, id, () => ({ changes: { status: 'cancelled', nextRunAt: null } }));
  for (const { message } of world.sent) await runWorker(world, Object(message).taskId);
  expect(await world.tasks()).toEqual([]);
  expect(await runsOf(world, id)).toMatchObject([{ status: 'cancelled', finishedAt: expect.any(String) }]);
});

test('an engagement that is approved again keeps its recurrence', async () => {
  const clock = stopClock(Date.parse('2025-03-03T03:00:00Z'));
  const world = newWorld(store.dynamo);
  const { id: scannerId } = await world.link();
  const { id } = await inWorld(world, { schedule: { startAt: null, recurrence: 'FREQ=DAILY', timeZone: 'UTC' } });
  await workAll(world, scannerId);
  clock.pass(7 * 3600);
  await modifyEngagement(world.table, id, () => ({ changes: { status: 'approved', nextRunAt: null } }));
  const task = newTask(actor(), {
    operation: 'approve_engagement',
    job: 'engagements',
    unit: 'scanner tasks',
    input: { engagementId: id },
  });
  await world.table.rows(taskRows).put(task);
  await runWorker(world, task.id);
  expect(await world.table.get(engagements, id)).toMatchObject({ runs: 1, nextRunAt: '2025-03-04T03:00:00.000Z' });
});

describe('windows', () => {
  const windows = [{ days: ['mon' as const], from: '22:00', to: '02:00', timeZone: 'UTC' }];

  test('no task starts outside of its windows, to the second; a task that runs at the end finishes', async () => {
    const clock = stopClock(Date.parse('2025-03-03T20:00:01Z'));
    const world = newWorld(store.dynamo);
    const { id: scannerId } = await world.link();
    await inWorld(world, { windows });
    expect((await world.poll(scannerId)).tasks).toEqual([]);
    const [waiting] = await withWaitingReasons(world.table, await world.tasks());
    expect(waiting?.waitingReason).toBe('outside_window');
    clock.pass(2 * 3600);
    expect(await sweepAndWork(world)).toEqual(['open_windows']);
    const { tasks } = await world.poll(scannerId);
    expect(tasks).toHaveLength(1);
    clock.pass(4 * 3600 - 2);
    await world.poll(scannerId, { capacity: 0, running: tasks.map(({ id }) => ({ taskId: id, progress: 0.5 })) });
    clock.pass(1);
    // the sweeper has not come by yet
    expect((await world.poll(scannerId)).tasks).toEqual([]);
    const { results } = await world.complete(scannerId, [{ taskId: tasks[0]?.id, outcome: 'completed', reports: [] }]);
    expect(results).toMatchObject([{ accepted: true }]);
    clock.pass(120);
    expect(await sweepAndWork(world)).toEqual(['open_windows']);
    expect(await world.poll(scannerId)).toMatchObject({ tasks: [] });
    clock.pass(7 * 86_400 - 4 * 3600);
    expect(await sweepAndWork(world)).toEqual(['open_windows']);
    expect(await workAll(world, scannerId)).toBe(1);
    await world.expectExactCounters();
  });

  test('a returned task is leased again while the same window is open, and not after it', async () => {
    const clock = stopClock(Date.parse('2025-03-03T22:30:01Z'));
    const world = newWorld(store.dynamo);
    const { id: scannerId } = await world.link();
    await inWorld(world, { windows });
    const fail = async () => {
      const { tasks } = await world.poll(scannerId, { capacity: 2 });
      await world.complete(
        scannerId,
        tasks.map(({ id }) => ({ taskId: id, outcome: 'failed', reports: [] })),
      );
      return tasks.length;
    };
    expect(await fail()).toBe(2);
    expect(await fail()).toBe(2);
    clock.pass(4 * 3600);
    expect(await fail()).toBe(0);
    await sweepAndWork(world);
    clock.pass(7 * 86_400 - 4 * 3600);
    await sweepAndWork(world);
    expect(await workAll(world, scannerId)).toBe(2);
    await world.expectExactCounters();
  });

  test('a task that is returned in a later window is leased again in that window', async () => {
    const clock = stopClock(Date.parse('2025-03-03T23:00:01Z'));
    const world = newWorld(store.dynamo);
    const { id: scannerId } = await world.link();
    const nights = [{ days: ['mon' as const, 'tue' as const], from: '22:00', to: '02:00', timeZone: 'UTC' }];
    await inWorld(world, { windows: nights });
    const { tasks } = await world.poll(scannerId, { capacity: 2 });
    const running = tasks.map(({ id }) => ({ taskId: id, progress: 0.5 }));
    for (let quarters = 0; quarters < 94; quarters++) {
      clock.pass(900);
      await world.poll(scannerId, { capacity: 0, running });
      await sweepAndWork(world);
    }
    // Tuesday, half an hour after the second window has opened
    await world.complete(
      scannerId,
      tasks.map(({ id }) => ({ taskId: id, outcome: 'failed', reports: [] })),
    );
    expect(await workAll(world, scannerId)).toBe(2);
    await world.expectExactCounters();
  });

  test('a completed engagement no longer wakes the scheduler', async () => {
    const clock = stopClock(Date.parse('2025-03-03T22:30:01Z'));
    const world = newWorld(store.dynamo);
    const { id: scannerId } = await world.link();
    const { id } = await inWorld(world, { windows });
    expect(await workAll(world, scannerId)).toBe(2);
    expect(await world.table.get(engagements, id)).toMatchObject({ status: 'completed', wakeAt: null });
    clock.pass(7 * 86_400);
    expect(await sweepAndWork(world)).toEqual([]);
  });
});
