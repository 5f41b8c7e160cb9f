import { beforeEach, describe, expect, test } from 'vitest';
import { credentials } from '#shared/platform/auth/credential.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { scannerLeases } from '#shared/scanning/fleet/leases.ts';
import { scannerMachines } from '#shared/scanning/fleet/presence.ts';
import { deleteHolder, endLeases } from '#shared/scanning/leases/give-back.ts';
import { LEASE_SECONDS } from '#shared/scanning/leases/lease.ts';
import { readMachinePresence } from '#shared/scanning/machines/machines.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { scanners } from '#shared/scanning/scanners/scanner.ts';
import { putPool } from '../../../support/scanning.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();
let clock: ReturnType<typeof stopClock>;
let world: World;
beforeEach(() => {
  clock = stopClock();
  world = newWorld(store.dynamo);
});

async function presenceOf(id: string, { table } = world) {
  const presence = await readMachinePresence(scannerMachines, table, id);
  if (!presence) throw new Error('a scanner that was linked');
  return presence;
}
const end = async (id: string) => endLeases(scannerLeases, world.table, await presenceOf(id));

/** A scanner that holds a task for each of these addresses, and the ids of the tasks. */
async function newHolder(addresses: string[]) {
  const { id } = await world.link();
  await world.engage(addresses);
  const { tasks } = await world.poll(id, { capacity: addresses.length });
  return { id, taskIds: tasks.map((task) => task.id) };
}

describe('a lease', () => {
  test('ends at its time and not before, and leaves the others to their machine', async () => {
    const { id, taskIds } = await newHolder(['10.0.0.1', '10.0.0.2']);
    clock.pass(600);
    await world.poll(id, { capacity: 0, running: [{ taskId: taskIds[1] ?? '', progress: 0.5 }] });
    clock.pass(LEASE_SECONDS - 601);
    expect(Object.keys((await end(id)).leases)).toHaveLength(2);
    clock.pass(1);
    expect(Object.keys((await end(id)).leases)).toEqual([taskIds[1]]);
    expect(await world.table.get(scannerTasks, taskIds[0] ?? '', true)).toMatchObject({
      status: 'pending',
      error: { code: 'lease_expired', message: 'Its scanner did not renew the lease in time.' },
    });
    expect(await world.table.get(scannerTasks, taskIds[1] ?? '', true)).toMatchObject({ status: 'running' });
  });

  test('of a task that its machine has no more, or that is gone, ends and changes no task', async () => {
    const { id, taskIds } = await newHolder(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
    const [completed = '', taken = '', gone = ''] = taskIds;
    await world.table.modify(scannerTasks, completed, () => ({ status: 'completed' as const }));
    const other = { id: newId(), name: 'other' };
    await world.table.modify(scannerTasks, taken, () => ({ scanner: other }));
    await world.table.delete(scannerTasks, await world.table.get(scannerTasks, gone));
    clock.pass(LEASE_SECONDS);
    expect((await end(id)).leases).toEqual({});
    expect(await world.table.get(scannerTasks, completed, true)).toMatchObject({ status: 'completed', error: null });
    expect(await world.table.get(scannerTasks, taken, true)).toMatchObject({ status: 'running', scanner: other });
    expect((await world.tasks()).map((task) => task.id)).not.toContain(gone);
  });
});

describe('a shared scanner that holds tasks of several organizations', () => {
  /** The scanner, and the organizations of which it holds a task each. */
  async function newSharedHolder() {
    const poolId = newId();
    await putPool(store.dynamo, { poolId, providerId: world.table.organizationId });
    const { id } = await world.link({ publicGroupIds: [poolId] });
    const clients = [newWorld(store.dynamo), newWorld(store.dynamo)];
    for (const client of clients) {
      await client.engage(['192.0.2.1'], { more: { publicScannerGroupId: poolId } });
      expect((await world.poll(id)).tasks).toHaveLength(1);
    }
    return { id, clients };
  }
  const tasksOf = async (clients: readonly World[]) => (await Promise.all(clients.map(({ tasks }) => tasks()))).flat();
  const returned = (code: string) => [1, 2].map(() => ({ status: 'pending', scanner: null, error: { code } }));

  test('gives all of them back when its leases end', async () => {
    const { id, clients } = await newSharedHolder();
    clock.pass(LEASE_SECONDS);
    expect((await end(id)).leases).toEqual({});
    expect((await presenceOf(id)).leases).toEqual({});
    expect(await tasksOf(clients)).toMatchObject(returned('lease_expired'));
    for (const client of clients) await client.expectExactCounters();
  });

  test('gives all of them back when it is removed, and can take none meanwhile', async () => {
    const { id, clients } = await newSharedHolder();
    const current: unknown[] = [];
    const rules: typeof scannerLeases = {
      ...scannerLeases,
      async settle(owner, tasks) {
        current.push(await world.table.rows(credentials).find({ id }, true));
        await scannerLeases.settle(owner, tasks);
      },
    };
    expect(await deleteHolder(rules, world.table, id)).toMatchObject({ id });
    expect(current).toEqual([undefined, undefined]);
    expect(await tasksOf(clients)).toMatchObject(returned('scanner_removed'));
    expect(await world.table.find(scanners, id)).toBeUndefined();
  });
});

test('a scanner that nobody knows is not removed', async () => {
  const id = newId();
  await world.table.rows(credentials).put({ id, kind: 'machine', name: 'another machine', secrets: [] });
  await expect(deleteHolder(scannerLeases, world.table, id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await world.table.rows(credentials).find({ id }, true)).toBeDefined();
});
