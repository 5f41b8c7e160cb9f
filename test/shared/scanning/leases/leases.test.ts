import { beforeEach, describe, expect, test } from 'vitest';
import { LEASE_SECONDS } from '#shared/scanning/leases/lease.ts';
import { LEASE_WORLDS, type LeaseWorld } from '../../../support/lease-worlds.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();

const done = (taskId: string) => ({ taskId, outcome: 'completed' });
const failed = (taskId: string) => ({ taskId, outcome: 'failed', error: { code: 'unreachable', message: 'no route' } });

describe.each(LEASE_WORLDS)('every %s that leases tasks', (kind, open) => {
  let world: LeaseWorld;
  let clock: ReturnType<typeof stopClock>;
  beforeEach(() => {
    clock = stopClock();
    world = open(store.dynamo);
  });

  /** A machine, and the id of the only task, which it holds. */
  async function newHolder() {
    const id = await world.link();
    await world.offer(['10.0.0.1']);
    const [task] = (await world.poll(id)).tasks;
    return { id, taskId: task?.id ?? '' };
  }

  test('gets the oldest tasks first, and each only once', async () => {
    const id = await world.link();
    await world.offer(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
    const first = await world.poll(id, { capacity: 2 });
    const second = await world.poll(id, { capacity: 2 });
    const addresses = [...first.tasks, ...second.tasks].map(world.addressOf);
    expect(addresses).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
    expect(first.tasks[0]).toMatchObject({ attempt: 1, leaseSeconds: LEASE_SECONDS });
    await world.expectExactCounters();
  });

  test('that races another for the last task leaves it to the other or gets it: one of them does', async () => {
    const [a, b] = [await world.link(), await world.link()];
    await Promise.all([world.poll(a), world.poll(b)]);
    for (let round = 0; round < 5; round++) {
      await world.offer([`10.0.1.${round}`]);
      const [one, two] = await Promise.all([world.poll(a), world.poll(b)]);
      expect(one.tasks.length + two.tasks.length).toBe(1);
    }
    await world.expectExactCounters();
  });

  test('keeps its tasks while it is disabled and gets no new ones', async () => {
    const { id, taskId } = await newHolder();
    await world.offer(['10.0.0.2']);
    await world.setEnabled(id, false);
    const running = [{ taskId, progress: 0.5 }];
    const disabled = await world.poll(id, { capacity: 5, running });
    expect(disabled).toMatchObject({ tasks: [], lost: [] });
    // nothing waits for it
    expect(disabled.pollAfterSeconds).toBeGreaterThanOrEqual(60);
    await world.setEnabled(id, true);
    expect((await world.poll(id, { capacity: 5, running })).tasks).toHaveLength(1);
    await world.expectExactCounters();
  });

  test('loses its task to another when it falls silent, and hears of that', async () => {
    const { id, taskId } = await newHolder();
    const other = await world.link();
    clock.pass(LEASE_SECONDS + 1);
    await world.sweep();
    expect(await world.readTask(taskId)).toMatchObject({ status: 'pending', error: { code: 'lease_expired' } });
    expect((await world.poll(other)).tasks).toMatchObject([{ id: taskId, attempt: 2 }]);
    expect((await world.poll(id, { running: [{ taskId, progress: 0.9 }] })).lost).toEqual([taskId]);
    const late = await world.complete(id, [done(taskId)]);
    expect(late.results).toMatchObject([{ taskId, accepted: false, code: 'not_held' }]);
    expect((await world.complete(other, [done(taskId)])).results).toMatchObject([{ accepted: true }]);
    await world.expectExactCounters();
  });

  test('never loses a long task that it renews with every poll', async () => {
    const { id, taskId } = await newHolder();
    for (let minutes = 0; minutes < 40; minutes += 2) {
      clock.pass(120);
      await world.sweep();
      expect(await world.poll(id, { running: [{ taskId, progress: minutes / 60 }] })).toMatchObject({ lost: [] });
    }
    expect((await world.complete(id, [done(taskId)])).results).toMatchObject([{ accepted: true }]);
  });

  test('may still report a task whose lease ended while nobody noticed', async () => {
    const { id, taskId } = await newHolder();
    clock.pass(LEASE_SECONDS + 1);
    expect((await world.complete(id, [done(taskId)])).results).toMatchObject([{ accepted: true }]);
    await world.sweep();
    expect(await world.readTask(taskId)).toMatchObject({ status: 'completed', attempt: 1 });
  });

  test('gets a task that it cannot do three times, and then the task fails and says why', async () => {
    const id = await world.link();
    await world.offer(['10.0.0.1']);
    for (const attempt of [1, 2, 3]) {
      const [task] = (await world.poll(id)).tasks;
      expect(task?.attempt).toBe(attempt);
      await world.complete(id, [failed(task?.id ?? '')]);
    }
    expect((await world.poll(id)).tasks).toEqual([]);
    expect(await world.listTasks()).toMatchObject([{ status: 'failed', error: { code: 'unreachable' } }]);
    await world.expectExactCounters();
  });

  test('is counted as offline when it falls silent, and as online when it returns', async () => {
    const [silent, fine] = [await world.link(), await world.link()];
    await Promise.all([world.poll(silent), world.poll(fine)]);
    for (let minutes = 0; minutes < 12; minutes++) {
      clock.pass(60);
      await world.poll(fine);
      await world.sweep();
    }
    expect(await world.countMachines()).toMatchObject({ 'status:online': 1, 'status:offline': 1 });
    expect(await world.readMachine(silent)).toMatchObject({ status: 'offline' });
    await world.poll(silent);
    expect((await world.countMachines())['status:online']).toBe(2);
    await world.expectExactCounters();
  });

  test('leaves its tasks to others when it is removed, and its polls are refused', async () => {
    const [gone, other] = [await world.link(), await world.link()];
    await world.offer(['10.0.0.1', '10.0.0.2']);
    await world.poll(gone, { capacity: 2 });
    await world.remove(gone);
    expect((await world.poll(other, { capacity: 5 })).tasks).toHaveLength(2);
    await expect(world.poll(gone)).rejects.toMatchObject({
      code: 'unauthorized',
      message: `This ${kind} was removed. Link it again.`,
    });
    await world.expectExactCounters();
  });

  test('polls soon while work waits, and rarely once it has taken the last of it', async () => {
    const id = await world.link();
    await world.offer(['10.0.0.1', '10.0.0.2']);
    const first = await world.poll(id);
    expect(first.pollAfterSeconds).toBe(5);
    clock.pass(5);
    const busy = { capacity: 0, running: first.tasks.map(({ id: taskId }) => ({ taskId, progress: 0.1 })) };
    expect((await world.poll(id, busy)).pollAfterSeconds).toBe(15);
    clock.pass(61);
    expect((await world.poll(id)).tasks).toHaveLength(1);
    clock.pass(61);
    expect((await world.poll(id, busy)).pollAfterSeconds).toBeGreaterThanOrEqual(60);
  });
});
