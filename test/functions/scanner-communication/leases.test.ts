import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clearHint, hintKey, hintOf, workHints } from '#shared/dispatch/queue.ts';
import { engagements } from '#shared/entities/engagement.ts';
import { Scanner, scanners } from '#shared/entities/scanner.ts';
import { scannerGroups } from '#shared/entities/scanner-group.ts';
import { scannerQueue, scannerTasks } from '#shared/entities/scanner-task.ts';
import { deleteHolder } from '#shared/leases/give-back.ts';
import { LEASE_SECONDS } from '#shared/leases/lease.ts';
import { updateMachine } from '#shared/machines/machine.ts';
import { setClock } from '#shared/runtime/clock.ts';
import { scannerLeases } from '#shared/scanners/leases.ts';
import { scannerMachines } from '#shared/scanners/presence.ts';
import { scannerGroupDraft } from '#test/support/scanning.ts';
import { type Store, startStore } from '#test/support/store.ts';
import { newWorld, stopClock, type World } from '../../support/scanning-world.ts';

let store: Store;
let world: World;
let clock: ReturnType<typeof stopClock>;

beforeAll(async () => {
  store = await startStore();
});
beforeEach(() => {
  clock = stopClock();
  world = newWorld(store.dynamo);
});
afterAll(async () => {
  setClock();
  await store.stop();
});

const setEnabled = (id: string, enabled: boolean) =>
  updateMachine(scannerMachines, world.table, { id, record: Scanner, patch: { enabled }, ifMatch: undefined });
const done = (taskId: string) => ({ taskId, outcome: 'completed' });
const failed = (taskId: string) => ({ taskId, outcome: 'failed', error: { code: 'unreachable', message: 'no route' } });

describe('leasing', () => {
  test('tasks are handed out oldest first, and each only once', async () => {
    const scanner = await world.link();
    await world.engage(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
    const first = await world.poll(scanner.id, { capacity: 2 });
    const second = await world.poll(scanner.id, { capacity: 2 });
    const values = [...first.tasks, ...second.tasks].map(({ target }) => target.value);
    expect(values).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
    expect(first.tasks[0]).toMatchObject({ type: 'network', attempt: 1, leaseSeconds: LEASE_SECONDS, zone: null });
    await world.expectExactCounters();
  });

  test('two scanners that race for the last task get it once', async () => {
    const [a, b] = [await world.link(), await world.link()];
    await Promise.all([world.poll(a.id), world.poll(b.id)]);
    for (let round = 0; round < 5; round++) {
      await world.engage([`10.0.1.${round}`]);
      const [one, two] = await Promise.all([world.poll(a.id), world.poll(b.id)]);
      expect(one.tasks.length + two.tasks.length).toBe(1);
    }
    await world.expectExactCounters();
  });

  test('a scanner gets only tasks of its zone, its types and its groups', async () => {
    const { id: group } = await world.table.create(scannerGroups, scannerGroupDraft());
    const dmz = await world.link({ zone: 'dmz' });
    const grouped = await world.link({ groupIds: [group] });
    const plain = await world.link();
    await world.engage(['10.0.0.1'], { zone: 'dmz' });
    await world.engage(['10.0.0.2'], { scannerGroupId: group });
    await world.engage(['10.0.0.3'], { taskTypes: ['web'] });
    const values = async (id: string) =>
      (await world.poll(id, { capacity: 9 })).tasks.map(({ target }) => target.value);
    expect(await values(plain.id)).toEqual([]);
    expect(await values(dmz.id)).toEqual(['10.0.0.1']);
    expect(await values(grouped.id)).toEqual(['10.0.0.2']);
  });

  test('a drained or resting scanner keeps what it has and gets nothing new', async () => {
    const scanner = await world.link();
    await world.engage(['10.0.0.1', '10.0.0.2']);
    const { tasks } = await world.poll(scanner.id);
    await setEnabled(scanner.id, false);
    const running = [{ taskId: tasks[0]?.id ?? '', progress: 0.5 }];
    expect(await world.poll(scanner.id, { capacity: 5, running })).toMatchObject({ tasks: [], lost: [] });
    await setEnabled(scanner.id, true);
    expect((await world.poll(scanner.id, { capacity: 5, running })).tasks).toHaveLength(1);
    await world.expectExactCounters();
  });

  test('a poll soon after work shows up finds it, whatever an earlier poll saw', async () => {
    const scanner = await world.link();
    expect((await world.poll(scanner.id)).pollAfterSeconds).toBeGreaterThanOrEqual(60);
    await world.engage(['10.0.0.1']);
    expect((await world.poll(scanner.id)).tasks).toHaveLength(1);
    await world.poll(scanner.id); // finds the queue empty and says so
    await world.engage(['10.0.0.2', '10.0.0.3']);
    const found = await world.poll(scanner.id);
    expect(found.tasks).toHaveLength(1);
    expect(found.pollAfterSeconds).toBe(5);
  });
});

test('work that comes while a poll finds the queue empty is not overlooked', async () => {
  const scanner = await world.link();
  await world.engage(['10.0.0.1']);
  const queue = scannerQueue('network', null, null);
  const seen = hintOf(await world.table.rows(workHints).find(hintKey, true), queue);
  await world.poll(scanner.id, { capacity: 5 });
  await world.engage(['10.0.0.2']); // between the poll's look at the queue and its clearing of the hint
  await clearHint(world.table, queue, seen);
  expect((await world.poll(scanner.id)).tasks).toHaveLength(1);
});

describe('leases that end', () => {
  test('a task whose scanner went silent goes to another, and the first hears that it lost it', async () => {
    const [a, b] = [await world.link(), await world.link()];
    await world.engage(['10.0.0.1']);
    const taskId = (await world.poll(a.id)).tasks[0]?.id ?? '';
    clock.pass(LEASE_SECONDS + 1);
    await world.sweep();
    expect(await world.table.get(scannerTasks, taskId)).toMatchObject({
      status: 'pending',
      error: { code: 'lease_expired' },
    });
    expect((await world.poll(b.id)).tasks).toMatchObject([{ id: taskId, attempt: 2 }]);
    expect((await world.poll(a.id, { running: [{ taskId, progress: 0.9 }] })).lost).toEqual([taskId]);
    const { results } = await world.complete(a.id, [done(taskId)]);
    expect(results).toMatchObject([{ taskId, accepted: false, code: 'not_held' }]);
    expect((await world.complete(b.id, [done(taskId)])).results).toMatchObject([{ accepted: true }]);
    await world.expectExactCounters();
  });

  test('a long scan that is renewed with every poll is never taken away', async () => {
    const scanner = await world.link();
    await world.engage(['10.0.0.1']);
    const taskId = (await world.poll(scanner.id)).tasks[0]?.id ?? '';
    for (let minutes = 0; minutes < 60; minutes += 2) {
      clock.pass(120);
      await world.sweep();
      expect(await world.poll(scanner.id, { running: [{ taskId, progress: minutes / 60 }] })).toMatchObject({
        lost: [],
      });
    }
    expect((await world.complete(scanner.id, [done(taskId)])).results).toMatchObject([{ accepted: true }]);
  });

  test('a lease that ended while the work went on is still its own when nobody took it', async () => {
    const scanner = await world.link();
    await world.engage(['10.0.0.1']);
    const taskId = (await world.poll(scanner.id)).tasks[0]?.id ?? '';
    clock.pass(LEASE_SECONDS + 1);
    expect((await world.complete(scanner.id, [done(taskId)])).results).toMatchObject([{ accepted: true }]);
    await world.sweep();
    expect(await world.table.get(scannerTasks, taskId)).toMatchObject({ status: 'completed', attempt: 1 });
  });

  test('a task that no scanner finishes fails after three attempts and says why', async () => {
    const scanner = await world.link();
    const engagement = await world.engage(['10.0.0.1']);
    for (const attempt of [1, 2, 3]) {
      const [task] = (await world.poll(scanner.id)).tasks;
      expect(task?.attempt).toBe(attempt);
      await world.complete(scanner.id, [failed(task?.id ?? '')]);
    }
    expect((await world.poll(scanner.id)).tasks).toEqual([]);
    expect((await world.tasks())[0]).toMatchObject({ status: 'failed', error: { code: 'unreachable' } });
    expect(await world.table.get(engagements, engagement.id)).toMatchObject({ status: 'failed' });
    await world.expectExactCounters();
  });

  test('a silent scanner is offline for the counters, and a sweep does not look at those that are fine', async () => {
    const [silent, fine] = [await world.link(), await world.link()];
    await Promise.all([world.poll(silent.id), world.poll(fine.id)]);
    for (let minutes = 0; minutes < 12; minutes++) {
      clock.pass(60);
      await world.poll(fine.id);
      await world.sweep();
    }
    expect(await world.table.facets(scanners)).toMatchObject({ 'status:online': 1, 'status:offline': 1 });
    expect(await world.table.get(scanners, silent.id)).toMatchObject({ status: 'offline' });
    await world.poll(silent.id);
    expect((await world.table.facets(scanners))['status:online']).toBe(2);
    await world.expectExactCounters();
  });

  test('what a removed scanner held returns to the queue, and its polls are refused', async () => {
    const [gone, other] = [await world.link(), await world.link()];
    await world.engage(['10.0.0.1', '10.0.0.2']);
    await world.poll(gone.id, { capacity: 2 });
    await deleteHolder(scannerLeases, world.table, gone.id);
    expect((await world.poll(other.id, { capacity: 5 })).tasks).toHaveLength(2);
    await expect(world.poll(gone.id)).rejects.toMatchObject({ code: 'unauthorized' });
    await world.expectExactCounters();
  });
});
