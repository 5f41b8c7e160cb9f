import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { cancelTask } from '#shared/scanning/fleet/cancel-task.ts';
import { showTasks } from '#shared/scanning/fleet/show.ts';
import { openPools, type Pool } from '#shared/scanning/scanner-tasks/pools.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { usages } from '#shared/scanning/scanner-tasks/usage.ts';
import { withWaitingReasons } from '#shared/scanning/scanner-tasks/waiting.ts';
import { putPool } from '../../../support/scanning.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { type Store, startStore } from '../../../support/store.ts';

let store: Store;
let provider: World;
let clients: [World, World, World];
let poolId: string;
let clock: ReturnType<typeof stopClock>;

beforeAll(async () => {
  store = await startStore();
});
beforeEach(async () => {
  clock = stopClock();
  provider = newWorld(store.dynamo);
  clients = [newWorld(store.dynamo), newWorld(store.dynamo), newWorld(store.dynamo)];
  poolId = newId();
  await changePool({});
});
afterAll(async () => {
  setClock();
  await store.stop();
});

const changePool = (more: Partial<Pool>) =>
  putPool(store.dynamo, { poolId, providerId: provider.table.organizationId, ...more });

const share = (more: object = {}) => provider.link({ publicGroupIds: [poolId], ...more });
const engage = (world: World, targets: string[], more: object = {}) =>
  world.engage(targets, { more: { publicScannerGroupId: poolId, ...more } });
const ended = (taskId: string) => ({ taskId, outcome: 'completed' });

async function ownerOf(taskId: string): Promise<number> {
  const found = await Promise.all(clients.map(({ table }) => table.find(scannerTasks, taskId)));
  return found.findIndex((task) => task !== undefined);
}

/** Polls until nothing is given: who was served, in order. */
async function servedBy(scannerId: string, polls: number, capacity = 10): Promise<number[]> {
  const owners: number[] = [];
  for (let n = 0; n < polls; n++) {
    const { tasks } = await provider.poll(scannerId, { capacity });
    if (tasks[0]) owners.push(await ownerOf(tasks[0].id));
    await provider.complete(
      scannerId,
      tasks.map(({ id }) => ended(id)),
    );
  }
  return owners;
}

describe('organizations that share a pool', () => {
  test('an organization with 10,000 tasks delays an organization with 10 tasks by one turn', async () => {
    const [large, small] = clients;
    const scanner = await share({ supportedTaskTypes: ['web'] });
    const web = { taskTypes: ['web'] };
    await engage(large, ['11.0.0.0/19', '11.1.0.0/21'], web);
    expect(await servedBy(scanner.id, 2)).toEqual([0, 0]);
    await engage(small, ['192.0.2.0/29', '198.51.100.0/31'], web);
    expect(await servedBy(scanner.id, 2)).toContain(1);
    expect(await small.table.facets(scannerTasks)).toMatchObject({ 'status:completed': 10 });
    expect((await large.table.facets(scannerTasks))['status:pending']).toBeGreaterThan(10_000 - 40);
  });

  test('each gets its turn in every round, whatever the others queue', async () => {
    const scanner = await share();
    for (const world of clients)
      await engage(
        world,
        Array.from({ length: 30 }, (_, n) => `192.0.2.${n + 1}`),
      );
    const served = await servedBy(scanner.id, 9);
    for (const round of [served.slice(0, 3), served.slice(3, 6), served.slice(6, 9)])
      expect(round.toSorted()).toEqual([0, 1, 2]);
    for (const world of clients) await world.expectExactCounters();
  });

  test('scanners that poll at the same time serve different organizations, and no task twice', async () => {
    const scanners = [await share(), await share(), await share()];
    for (const { id } of scanners) await provider.poll(id, { capacity: 0 });
    for (const world of clients) await engage(world, ['192.0.2.1', '192.0.2.2', '192.0.2.3']);
    const answers = await Promise.all(scanners.map(({ id }) => provider.poll(id, { capacity: 3 })));
    const ids = answers.flatMap(({ tasks }) => tasks.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    const owners = await Promise.all(answers.map(({ tasks }) => ownerOf(tasks[0]?.id ?? '')));
    expect(owners.toSorted()).toEqual([0, 1, 2]);
    await provider.expectExactCounters();
  });
});

describe('the limits of a pool', () => {
  test('no organization runs more than its part, and what ends makes room', async () => {
    await changePool({ maxConcurrentTasksPerOrganization: 2 });
    const scanner = await share();
    const [one, two] = clients;
    await engage(one, ['192.0.2.1', '192.0.2.2', '192.0.2.3']);
    const first = await provider.poll(scanner.id, { capacity: 5 });
    expect(first.tasks).toHaveLength(2);
    expect((await provider.poll(scanner.id, { capacity: 5 })).tasks).toEqual([]);
    const [waiting] = (await one.tasks()).filter(({ status }) => status === 'pending');
    expect(await withWaitingReasons(one.table, waiting ? [waiting] : [])).toMatchObject([{ waitingReason: 'quota' }]);
    await engage(two, ['192.0.2.4']);
    expect((await provider.poll(scanner.id, { capacity: 5 })).tasks).toHaveLength(1);
    await provider.complete(scanner.id, [ended(first.tasks[0]?.id ?? '')]);
    expect((await provider.poll(scanner.id, { capacity: 5 })).tasks).toHaveLength(1);
  });

  test('the pool runs no more than its limit, also when many scanners poll at once', async () => {
    await changePool({ maxConcurrentTasks: 3 });
    const scanners = [await share(), await share(), await share()];
    for (const { id } of scanners) await provider.poll(id, { capacity: 0 });
    for (const world of clients) await engage(world, ['192.0.2.1', '192.0.2.2', '192.0.2.3']);
    for (let round = 0; round < 3; round++)
      await Promise.all(scanners.map(({ id }) => provider.poll(id, { capacity: 2 })));
    const running = await openPools(store.dynamo).rows(usages).find({ groupId: poolId, owner: '*' }, true);
    expect(running).toMatchObject({ running: 3 });
  });

  test('a pool that is closed gives nothing new, and says so', async () => {
    const scanner = await share();
    await provider.poll(scanner.id, { capacity: 0 });
    await engage(clients[0], ['192.0.2.1']);
    await changePool({ enabled: false });
    expect((await provider.poll(scanner.id)).tasks).toEqual([]);
    const shown = await withWaitingReasons(clients[0].table, await clients[0].tasks());
    expect(shown).toMatchObject([{ waitingReason: 'all_offline' }]);
    await changePool({ enabled: true });
    expect((await provider.poll(scanner.id)).tasks).toHaveLength(1);
  });
});

describe('a shared scanner', () => {
  test('takes no tasks of its own organization, and no organization gets its scanners', async () => {
    const scanner = await share();
    await provider.engage(['192.0.2.1']);
    await clients[0].engage(['192.0.2.2']);
    expect((await provider.poll(scanner.id)).tasks).toEqual([]);
  });

  test('that goes silent gives its tasks back to the organization that owns them', async () => {
    const [client] = clients;
    const [scanner, other] = [await share(), await share()];
    await engage(client, ['192.0.2.1']);
    const { tasks } = await provider.poll(scanner.id);
    clock.pass(1200);
    await provider.sweep();
    expect(await client.tasks()).toMatchObject([{ status: 'pending', scanner: null }]);
    const next = await provider.poll(other.id);
    expect(next.tasks).toMatchObject([{ id: tasks[0]?.id, attempt: 2 }]);
    const late = await provider.complete(scanner.id, [ended(tasks[0]?.id ?? '')]);
    expect(late.results).toMatchObject([{ accepted: false, code: 'not_held' }]);
    await client.expectExactCounters();
    await provider.expectExactCounters();
  });

  test("shows the task's owner the progress", async () => {
    const [client] = clients;
    const scanner = await share();
    await engage(client, ['192.0.2.1']);
    const { tasks } = await provider.poll(scanner.id);
    clock.pass(61);
    await provider.poll(scanner.id, { running: [{ taskId: tasks[0]?.id ?? '', progress: 0.5 }] });
    expect(await showTasks(client.table, await client.tasks())).toMatchObject([{ status: 'running', progress: 0.5 }]);
  });

  test('hears of a cancelled task with its next poll', async () => {
    const [client] = clients;
    const scanner = await share();
    await engage(client, ['192.0.2.1']);
    const { tasks } = await provider.poll(scanner.id);
    const taskId = tasks[0]?.id ?? '';
    await cancelTask(client.table, taskId);
    expect(await provider.poll(scanner.id)).toMatchObject({ cancel: [{ taskId }] });
    await provider.complete(scanner.id, [{ taskId, outcome: 'cancelled' }]);
    expect(await client.tasks()).toMatchObject([{ status: 'cancelled' }]);
  });

  test('completes twice with one effect, and cannot complete what it does not hold', async () => {
    const [client, other] = clients;
    const [scanner, idle] = [await share(), await share()];
    await engage(client, ['192.0.2.1']);
    const { tasks } = await provider.poll(scanner.id);
    const taskId = tasks[0]?.id ?? '';
    expect((await provider.complete(idle.id, [ended(taskId)])).results).toMatchObject([{ accepted: false }]);
    const foreign = await other.link();
    expect((await other.complete(foreign.id, [ended(taskId)])).results).toMatchObject([{ accepted: false }]);
    expect(await client.tasks()).toMatchObject([{ status: 'running' }]);
    const first = await provider.complete(scanner.id, [ended(taskId)]);
    expect(first.results).toMatchObject([{ accepted: true }]);
    expect((await provider.complete(scanner.id, [ended(taskId)])).results).toEqual(first.results);
    expect(await client.table.facets(scannerTasks)).toMatchObject({ 'status:completed': 1 });
    expect(await provider.tasks()).toEqual([]);
  });
});
