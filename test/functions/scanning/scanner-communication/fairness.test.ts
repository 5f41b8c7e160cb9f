import { beforeAll, describe, expect, test } from 'vitest';
import { newId, newIdAt } from '#shared/platform/runtime/ids.ts';
import { writeRows } from '#shared/platform/table/io/commit.ts';
import { rowKey } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { laneOf, poolQueue } from '#shared/scanning/scanner-tasks/pools.ts';
import { pendingRows } from '#shared/scanning/scanner-tasks/queue.ts';
import { scannerQueueOf, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { attachMeter, type Usage } from '../../../../bench/meter.ts';
import { requestEngagement, runWorker } from '../../../support/engagement-worker.ts';
import { putPool } from '../../../support/scanning.ts';
import { newWorld, stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
let clock: ReturnType<typeof stopClock>;
beforeAll(() => {
  clock = stopClock();
});

const WAITING = 50_000;
/** Tasks that are made before the rest of a queue is filled: more than a poll looks at. */
const MADE = 100;
const hosts = (n: number) => Array.from({ length: n }, (_, i) => `192.0.2.${i + 1}`);

/** Puts so many tasks behind those that wait in the queue of one of them: the rows that a poll meets. */
async function fill(table: Table, n: number): Promise<void> {
  const [task] = (await table.list(scannerTasks, { paginateFrom: 0, paginateSize: 1 })).data;
  if (!task) throw new Error('a task whose queue is filled');
  const pool = task.publicScannerGroupId;
  const queue = pool ? poolQueue(laneOf(pool, task.type), table.tenant) : scannerQueueOf(task);
  const first = await table.reserveOrdinals(scannerTasks, n);
  const put = Array.from({ length: n }, (_, k) => {
    const row = { queue, taskId: newIdAt(first + k) };
    return { ...row, ...rowKey(pool ? GLOBAL_SCOPE : table.tenant, pendingRows, row) };
  });
  for (let k = 0; k < n; k += 1000) await writeRows(table.dynamo, { put: put.slice(k, k + 1000) });
}

/** Another organization of the same table, with a connection of its own that is measured. */
function measured() {
  const dynamo = store.connect();
  return { ...newWorld(dynamo, newOrganization(dynamo)), meter: attachMeter(dynamo) };
}

/** The cost of each thing that an organization does with its own scanner. */
async function costs(): Promise<Record<string, Usage>> {
  const { meter, ...world } = measured();
  const { id } = await world.link();
  await world.engage(hosts(20));
  await world.poll(id);
  const { task } = await requestEngagement(world, { targets: hosts(20) });
  const make = await meter.measure(() => runWorker(world, task.id));
  let held: string[] = [];
  const lease = await meter.measure(async () => {
    held = (await world.poll(id, { capacity: 3 })).tasks.map((one) => one.id);
  });
  expect(held).toHaveLength(3);
  const results = held.map((taskId) => ({ taskId, outcome: 'completed' }));
  const complete = await meter.measure(() => world.complete(id, results));
  return { make, lease, complete };
}

describe(`while ${WAITING} tasks of one organization wait`, () => {
  test("another's tasks are made, leased and completed for the same round trips and units", async () => {
    const before = await costs();
    const busy = newWorld(store.dynamo);
    await busy.engage(hosts(1));
    await fill(busy.table, WAITING);
    expect(await costs()).toEqual(before);
  });

  test('a shared pool serves another at its next turn, for the same cost as beside a hundred', async () => {
    const few = await servedBeside(0);
    expect(few.polls).toBe(2);
    expect(await servedBeside(WAITING - MADE)).toEqual(few);
  });
});

/**
 * A client begins to wait in a pool in which another waits with a hundred tasks and so many more: the number of polls until it
 * is served, and the cost of that poll.
 */
async function servedBeside(more: number): Promise<{ polls: number; cost: Usage }> {
  const poolId = newId();
  const { meter, ...provider } = measured();
  await putPool(store.dynamo, { poolId, providerId: provider.table.organizationId });
  const { id } = await provider.link({ publicGroupIds: [poolId] });
  await provider.poll(id);
  const busy = newWorld(store.dynamo);
  await busy.engage(hosts(MADE), { more: { publicScannerGroupId: poolId } });
  await fill(busy.table, more);
  clock.pass(1); // the ring is in the order of ids, which begin with their time
  const client = newWorld(store.dynamo);
  await client.engage(hosts(20), { more: { publicScannerGroupId: poolId } });
  for (let polls = 1; ; polls++) {
    const cost = await meter.measure(() => provider.poll(id, { capacity: 5 }));
    if ((await client.tasks()).some(({ status }) => status === 'running')) return { polls, cost };
  }
}
