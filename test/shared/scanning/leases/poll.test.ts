import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { setRandom } from '#shared/platform/runtime/random.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { cancelTask } from '#shared/scanning/fleet/cancel-task.ts';
import { scannerPresences } from '#shared/scanning/fleet/presence.ts';
import { TaskTaken } from '#shared/scanning/scanner-tasks/queue.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { injectFaults } from '../../../support/faults.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { replayOldRows } from '../../../support/stale-reads.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();
let clock: ReturnType<typeof stopClock>;
let dynamo: Dynamo;
let world: World;
let id: string;
beforeEach(async () => {
  clock = stopClock();
  setRandom(() => 0);
  dynamo = store.connect();
  world = newWorld(dynamo);
  ({ id } = await world.link());
});
afterAll(() => {
  setClock();
  setRandom();
});

const idle = { capacity: 0 };
async function presence() {
  const found = await world.table.rows(scannerPresences).find({ machineId: id }, true);
  if (!found) throw new Error('a scanner that has called');
  return found;
}

test('a machine that does not name its capacity gets an error and no task', async () => {
  await world.engage(['10.0.0.1']);
  const silent = world.poll(id, { capacity: undefined });
  await expect(silent).rejects.toMatchObject({ details: [{ path: 'capacity' }] });
  expect(await world.tasks()).toMatchObject([{ status: 'pending' }]);
});

test('a machine gets work of the types that it names with its first call', async () => {
  const { id: web } = await world.link({ supportedTaskTypes: [] });
  await world.engage(['10.0.0.1'], { taskTypes: ['web'] });
  expect((await world.poll(web)).tasks).toEqual([]);
  expect((await world.poll(web, { taskTypes: ['web'] })).tasks).toMatchObject([{ type: 'web' }]);
});

test('a lease begins without progress, and the engagement of its task runs from then on', async () => {
  const { id: engagementId } = await world.engage(['10.0.0.1']);
  const [task] = (await world.poll(id)).tasks;
  expect((await presence()).leases).toMatchObject({ [task?.id ?? '']: { attempt: 1, progress: 0 } });
  expect(await world.table.get(engagements, engagementId, true)).toMatchObject({ status: 'running' });
});

test('what a replica does not know yet costs a machine none of its tasks', async () => {
  const { replayed } = replayOldRows(dynamo);
  for (let n = 0; n < 3; n++) await world.poll(id, idle);
  await world.engage(['10.0.0.1', '10.0.0.2']);
  const running: { taskId: string; progress: number }[] = [];
  const renew = async () => {
    for (let n = 0; n < 6; n++) expect(await world.poll(id, { ...idle, running })).toMatchObject({ lost: [] });
  };
  for (const held of [1, 2]) {
    while (running.length < held)
      running.push(...(await world.poll(id, { running })).tasks.map((task) => ({ taskId: task.id, progress: 0.5 })));
    const before = replayed();
    await renew();
    expect(replayed()).toBeGreaterThan(before);
  }
});

describe('a poll that brings nothing new', () => {
  test('is recorded once a minute, and whatever it takes or says of its version is recorded at once', async () => {
    await world.poll(id, idle);
    const revs = [(await presence()).rev];
    const recorded = async (body: object) => {
      await world.poll(id, body);
      revs.push((await presence()).rev);
      return revs.at(-1) !== revs.at(-2);
    };
    expect(await recorded(idle)).toBe(false);
    clock.pass(60);
    expect(await recorded(idle)).toBe(true);
    expect(await recorded({ ...idle, version: '2.0' })).toBe(true);
    expect(await recorded({ ...idle, version: '2.0' })).toBe(false);
    await world.engage(['10.0.0.1']);
    expect(await recorded({ capacity: 1 })).toBe(true);
  });

  test('never names an interval after which the machine would count as silent', async () => {
    setRandom(() => 0.99);
    await world.engage(['10.0.0.1', '10.0.0.2']);
    expect((await world.poll(id)).pollAfterSeconds).toBe(5);
    const waiting = (await world.tasks()).find(({ status }) => status === 'pending');
    await cancelTask(world.table, waiting?.id ?? '');
    clock.pass(50);
    // it counts as silent after 100 seconds
    expect((await world.poll(id)).pollAfterSeconds).toBe(45);
    clock.pass(45);
    expect((await world.poll(id)).pollAfterSeconds).toBe(119);
  });
});

test('a machine whose tasks others always take first goes on without, and comes again soon', async () => {
  await world.poll(id, idle);
  await world.engage(['10.0.0.1']);
  const before = (command: string) => {
    if (command.startsWith('Transact')) throw new TaskTaken();
  };
  const end = injectFaults(dynamo, { random: () => 1, before });
  expect(await world.poll(id)).toMatchObject({ tasks: [], pollAfterSeconds: 15 });
  end();
  expect((await world.poll(id)).tasks).toHaveLength(1);
});

test('a leased task reaches its machine, also when its engagement cannot be updated', async () => {
  await world.engage(['10.0.0.1']);
  const before = (_: string, input: object) => {
    if (JSON.stringify(input).includes('engagement') && !JSON.stringify(input).includes('scanner-presence'))
      throw new Error('injected outage');
  };
  await world.poll(id, idle);
  const end = injectFaults(dynamo, { random: () => 1, before });
  const { tasks } = await world.poll(id);
  end();
  expect(tasks).toHaveLength(1);
  expect(await world.table.get(scannerTasks, tasks[0]?.id ?? '', true)).toMatchObject({ status: 'running' });
});
