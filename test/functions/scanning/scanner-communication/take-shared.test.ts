import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { findShared } from '#functions/scanning/scanner-communication/take-shared.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { setRandom } from '#shared/platform/runtime/random.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { cancelTask } from '#shared/scanning/fleet/cancel-task.ts';
import { type ScannerPresence, scannerMachines } from '#shared/scanning/fleet/presence.ts';
import { readMachinePresence } from '#shared/scanning/machines/machines.ts';
import { laneOf, openPools, type Pool } from '#shared/scanning/scanner-tasks/pools.ts';
import { hintKey, hintOf, workHints } from '#shared/scanning/scanner-tasks/queue.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { usages } from '#shared/scanning/scanner-tasks/usage.ts';
import { injectFaults } from '../../../support/faults.ts';
import { putPool } from '../../../support/scanning.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();
let clock: ReturnType<typeof stopClock>;
let provider: World;
let client: World;
let poolId: string;
let presence: ScannerPresence;
beforeEach(async () => {
  clock = stopClock();
  setRandom(() => 0);
  [provider, client] = [newWorld(store.dynamo), newWorld(store.dynamo)];
  poolId = await newPool();
  presence = await share([poolId]);
});
afterAll(() => {
  setClock();
  setRandom();
});

const change = (id: string, more: Partial<Pool>) =>
  putPool(store.dynamo, { poolId: id, providerId: provider.table.organizationId, ...more });

async function newPool(more: Partial<Pool> = {}): Promise<string> {
  const id = newId();
  await change(id, more);
  return id;
}

/** A scanner of these pools that has not called yet. */
async function share(publicGroupIds: string[]): Promise<ScannerPresence> {
  const { id } = await provider.link({ publicGroupIds });
  const linked = await readMachinePresence(scannerMachines, provider.table, id);
  if (!linked) throw new Error('a scanner that was linked');
  return linked;
}

const engage = (count: number, pool = poolId, of = client) =>
  of.engage(
    Array.from({ length: count }, (_, n) => `192.0.2.${n + 1}`),
    { more: { publicScannerGroupId: pool } },
  );

const hintNow = () => provider.table.rows(workHints).find(hintKey, true);

/** The tasks that the scanner would get now. Nothing is leased by that. */
const look = async (room: number, { by = presence, table = provider.table } = {}) =>
  findShared(table, by, { types: ['network'], hint: await hintNow(), room, attempt: 1 });
const gets = async (room: number, by?: ScannerPresence) => (await look(room, { by })).tasks.length;
const poolsOf = async (by: ScannerPresence) =>
  (await look(9, { by })).tasks.map(({ publicScannerGroupId }) => publicScannerGroupId);

/** How many requests a look takes. */
async function requestsOf(room: number): Promise<number> {
  const dynamo = store.connect();
  let requests = 0;
  injectFaults(dynamo, { random: () => 1, before: () => void requests++ });
  await look(room, { table: openTable(dynamo, provider.table.organizationId) });
  return requests;
}

const count = (owner: string, running: number) =>
  openPools(store.dynamo).rows(usages).put({ groupId: poolId, owner, running });

/** The same scanner while it holds so many tasks. */
const holding = (held: number): ScannerPresence => ({
  ...presence,
  leases: Object.fromEntries(
    Array.from({ length: held }, () => [newId(), { attempt: 1, until: 0, deadline: 0, progress: 0 }]),
  ),
});

describe('of several pools', () => {
  test('any is looked at first, and one that gives nothing now leaves the scanner to the others', async () => {
    const other = await newPool();
    const both = await share([poolId, other]);
    for (const pool of [poolId, other]) await engage(1, pool);
    expect(await poolsOf(both)).toEqual([poolId]);
    setRandom(() => 0.5);
    expect(await poolsOf(both)).toEqual([other]);
    await change(other, { enabled: false });
    expect(await poolsOf(both)).toEqual([poolId]);
    setRandom(() => 0);
    await change(other, {});
    await change(poolId, { enabled: false });
    expect(await poolsOf(both)).toEqual([other]);
  });

  test('the scanner comes soon for what waits behind its tasks, and for what may wait in the others', async () => {
    const other = await newPool();
    const both = await share([poolId, other]);
    await engage(2);
    const more = async (room: number) => (await look(room, { by: both })).more;
    expect([await more(1), await more(2)]).toEqual([true, false]);
    await engage(1, other);
    expect(await more(2)).toBe(true);
  });

  test('and several clients the scanner comes soon while another client has its turn', async () => {
    await engage(1);
    expect((await look(2)).more).toBe(false);
    await engage(1, poolId, newWorld(store.dynamo));
    expect((await look(2)).more).toBe(true);
  });
});

describe('a pool', () => {
  test('is not read for a scanner without room, which hears whether something may wait', async () => {
    expect(await look(0)).toMatchObject({ tasks: [], more: false });
    await engage(1);
    expect([await look(0), await requestsOf(0)]).toMatchObject([{ tasks: [], more: true }, 0]);
  });

  test('that is full or closed is read without its clients', async () => {
    await engage(1);
    await change(poolId, { maxConcurrentTasks: 2 });
    await count('*', 2);
    // the pool and how much of it runs
    expect([await look(1), await requestsOf(1)]).toMatchObject([{ tasks: [], more: true }, 2]);
    await change(poolId, { enabled: false });
    expect([await look(1), await requestsOf(1)]).toMatchObject([{ tasks: [], more: false }, 1]);
  });

  test("in which nobody waits any more is in no scanner's hint", async () => {
    await engage(1);
    const [task] = await client.tasks();
    await cancelTask(client.table, task?.id ?? '');
    const isHinted = async () => hintOf(await hintNow(), laneOf(poolId, 'network')) !== undefined;
    // the client's turn goes with the first look
    expect([await look(1), await isHinted()]).toMatchObject([{ tasks: [], more: true }, true]);
    expect([await look(1), await isHinted()]).toMatchObject([{ tasks: [], more: false }, false]);
    await engage(1);
    expect(await gets(1)).toBe(1);
  });

  test("whose last tasks were taken is in no scanner's hint, unless another client waits in it", async () => {
    const isHinted = async () => hintOf(await hintNow(), laneOf(poolId, 'network')) !== undefined;
    const leave = async () => {
      const { seen } = await look(2);
      expect(seen).toHaveLength(1);
      await seen[0]?.clear();
    };
    await engage(1);
    await leave();
    expect([await isHinted(), await gets(2)]).toEqual([false, 0]);
    await engage(1);
    await engage(1, poolId, newWorld(store.dynamo));
    await leave();
    expect(await isHinted()).toBe(true);
    await leave();
    expect(await isHinted()).toBe(false);
  });

  test('serves the next client when the tasks of the one whose turn it is have ended', async () => {
    await engage(1);
    clock.pass(1); // the ring is in the order of ids, which begin with their time
    const other = newWorld(store.dynamo);
    await engage(1, poolId, other);
    const end = async ({ table, tasks }: World) => {
      const [task] = await tasks();
      await table.modify(scannerTasks, task?.id ?? '', () => ({ status: 'cancelled' as const }));
    };
    await end(client);
    const found = await look(2);
    expect([found.owner.tenant, found.tasks.length]).toEqual([other.table.tenant, 1]);
    await end(other);
    expect(await look(2)).toMatchObject({ tasks: [], more: true });
  });

  test('in turn gives a scanner that holds the most as much as any other', async () => {
    await change(poolId, { maxConcurrentTasks: 100 });
    await count('*', 3);
    await engage(5);
    expect(await gets(4, holding(9))).toBe(4);
    await change(poolId, { maxConcurrentTasks: 5 });
    expect(await gets(4, holding(9))).toBe(2);
  });

  test('for the least loaded gives everything to its only scanner, also before it is counted as online', async () => {
    await change(poolId, { dispatch: 'least_loaded' });
    await count('*', 3);
    await engage(5);
    expect(await gets(4, holding(3))).toBe(4);
    await provider.poll(presence.machineId, { capacity: 0 });
    expect(await gets(4, holding(3))).toBe(4);
    // it holds what it took elsewhere too
    expect(await gets(4, holding(4))).toBe(1);
  });

  test('gives of an organization what its limit leaves, and passes over one that is at it', async () => {
    await change(poolId, { maxConcurrentTasksPerOrganization: 2 });
    await engage(3);
    await count(client.table.organizationId, 1);
    expect(await gets(5)).toBe(1);
    await count(client.table.organizationId, 2);
    expect(await look(5)).toMatchObject({ tasks: [], more: true });
  });
});
