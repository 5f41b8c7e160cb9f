import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Pool } from '#shared/scanning/scanner-tasks/pools.ts';
import { scannerGroups } from '#shared/scanning/scanners/scanner-group.ts';
import { putPool, scannerGroupDraft } from '../../../support/scanning.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();
let clock: ReturnType<typeof stopClock>;
let world: World;
beforeEach(() => {
  clock = stopClock();
  world = newWorld(store.dynamo);
});

const hosts = (count: number, first = 1) => Array.from({ length: count }, (_, n) => `192.0.2.${first + n}`);

/** How many tasks a scanner gets with a poll, and when it is to come again; its heartbeat is always due. */
async function poll(of: World, id: string, capacity: number) {
  clock.pass(61);
  const { tasks, pollAfterSeconds } = await of.poll(id, { capacity });
  return { tasks: tasks.map((task) => task.id), after: pollAfterSeconds >= 60 ? 'a minute' : pollAfterSeconds };
}
const gets = async (of: World, id: string, capacity = 9) => (await poll(of, id, capacity)).tasks.length;

describe('a scanner of a group', () => {
  const newGroup = async (more: object) => (await world.table.create(scannerGroups, scannerGroupDraft({ ...more }))).id;

  test('gets what the limit of the group leaves, comes soon while more waits, and other tasks all the same', async () => {
    const group = await newGroup({ maxConcurrentTasks: 3 });
    const { id } = await world.link({ groupIds: [group] });
    await poll(world, id, 0);
    await world.engage(hosts(5), { scannerGroupId: group });
    expect(await gets(world, id, 2)).toBe(2);
    const last = await poll(world, id, 9);
    expect([last.tasks.length, last.after]).toEqual([1, 5]);
    for (const capacity of [9, 1]) expect(await poll(world, id, capacity)).toEqual({ tasks: [], after: 15 });
    await world.engage(hosts(2, 9));
    expect([await gets(world, id, 1), await gets(world, id)]).toEqual([1, 1]);
    await world.complete(id, [{ taskId: last.tasks[0], outcome: 'completed' }]);
    expect(await gets(world, id)).toBe(1);
  });

  test('that is one of two gets half of what waits, or what it lacks of half of all', async () => {
    const inTurn = await newGroup({ name: 'In turn', dispatch: 'round_robin' });
    const leastLoaded = await newGroup({ dispatch: 'least_loaded' });
    const link = async (group: string) => (await world.link({ groupIds: [group] })).id;
    const [a, b] = [await link(inTurn), await link(inTurn)];
    const [c, d] = [await link(leastLoaded), await link(leastLoaded)];
    for (const id of [a, b, c, d]) await poll(world, id, 0);
    for (const scannerGroupId of [inTurn, leastLoaded]) await world.engage(hosts(6), { scannerGroupId });
    expect([await gets(world, a), await gets(world, a)]).toEqual([3, 2]);
    expect([await gets(world, c), await gets(world, c), await gets(world, d)]).toEqual([3, 0, 3]);
  });
});

describe('a scanner of a pool', () => {
  let poolId: string;
  let client: World;
  const change = (more: Partial<Pool> = {}) =>
    putPool(store.dynamo, { poolId, providerId: world.table.organizationId, ...more });
  beforeEach(async () => {
    poolId = newId();
    client = newWorld(store.dynamo);
    await change();
  });
  const share = async (pools = [poolId]) => {
    const { id } = await world.link({ publicGroupIds: pools });
    await poll(world, id, 0);
    return id;
  };
  const engage = (of: World, count: number, pool = poolId) =>
    of.engage(hosts(count), { more: { publicScannerGroupId: pool } });

  test('gets what the limit of the pool leaves, and comes soon for the rest', async () => {
    await change({ maxConcurrentTasks: 3 });
    const id = await share();
    await engage(client, 5);
    expect([await gets(world, id, 2), await gets(world, id)]).toEqual([2, 1]);
    expect(await poll(world, id, 9)).toEqual({ tasks: [], after: 15 });
    await change({ maxConcurrentTasks: null });
    expect(await gets(world, id)).toBe(2);
    expect(await poll(world, id, 9)).toEqual({ tasks: [], after: 'a minute' });
  });

  test('gets of each organization what its limit leaves', async () => {
    await change({ maxConcurrentTasksPerOrganization: 2 });
    const [id, other] = [await share(), newWorld(store.dynamo)];
    for (const one of [client, other]) await engage(one, 3);
    expect([await gets(world, id), await gets(world, id), await gets(world, id)]).toEqual([2, 2, 0]);
    expect((await poll(world, id, 9)).after).toBe(15);
  });

  test('that holds more than its part takes one at a time, where the least loaded has the next', async () => {
    await change({ dispatch: 'least_loaded' });
    const [a, b] = [await share(), await share()];
    await engage(client, 12);
    expect([await gets(world, a, 3), await gets(world, a, 3)]).toEqual([3, 1]);
    expect([await gets(world, b, 2), await gets(world, b, 2)]).toEqual([2, 2]);
    // each holds its part, four of eight
    expect(await gets(world, a, 3)).toBe(3);
  });

  test('hears of nothing in a closed pool, and gets the tasks of another', async () => {
    const second = newId();
    await putPool(store.dynamo, { poolId: second, providerId: world.table.organizationId });
    const id = await share([poolId, second]);
    await engage(client, 1);
    await change({ enabled: false });
    expect(await poll(world, id, 9)).toEqual({ tasks: [], after: 'a minute' });
    await engage(client, 2, second);
    expect(await gets(world, id)).toBe(2);
    await change();
    expect(await gets(world, id)).toBe(1);
  });

  test('without room hears that something waits, and takes nothing', async () => {
    const id = await share();
    expect((await poll(world, id, 0)).after).toBe('a minute');
    await engage(client, 1);
    expect(await poll(world, id, 0)).toEqual({ tasks: [], after: 15 });
    expect(await poll(world, id, 1)).toMatchObject({ tasks: [expect.any(String)] });
  });
});
