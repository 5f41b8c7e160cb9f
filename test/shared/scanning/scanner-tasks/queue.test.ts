import { beforeEach, describe, expect, test } from 'vitest';
import { inSeconds, nowMs } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { laneOf, openPools, poolQueue, turns, windowedClients } from '#shared/scanning/scanner-tasks/pools.ts';
import {
  closeWrite,
  dequeueWrites,
  enqueueRows,
  enqueueWrites,
  hintKey,
  hintOf,
  offerWrites,
  readQueue,
  TaskTaken,
  takeWrites,
  type WindowedRow,
  windowedRows,
  workHints,
} from '#shared/scanning/scanner-tasks/queue.ts';
import { type ScannerTask, scannerQueue, type WindowedTask } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
let clock: ReturnType<typeof stopClock>;
let table: Table;
beforeEach(() => {
  clock = stopClock();
  table = newOrganization(store.dynamo);
});

const queue = scannerQueue('network', null, null);
const engagementId = newId();
const waiting = (more: Partial<ScannerTask> = {}) =>
  ({ id: newId(), type: 'network', zone: null, scannerGroupId: null, engagementId, ...more }) as ScannerTask;
const windowed = (endsIn?: number): WindowedTask =>
  ({ ...waiting(), windowed: true, ...(endsIn !== undefined && { windowEndsAt: inSeconds(endsIn) }) }) as WindowedTask;

async function commit(writes: readonly Write[]): Promise<void> {
  const batch = table.batch();
  batch.write(...writes);
  await batch.commit();
}
const enqueue = (...tasks: ScannerTask[]) => commit(enqueueWrites(table.tenant, tasks));
const queued = async (name = queue, of = table) =>
  (await readQueue(of, name, 10)).map(({ sk: _, ...row }) => row).toSorted((a, b) => (a.taskId < b.taskId ? -1 : 1));
const idsOf = (...tasks: ScannerTask[]) => tasks.map(({ id: taskId }) => ({ taskId })).toSorted(byId);
const byId = (a: { taskId: string }, b: { taskId: string }) => (a.taskId < b.taskId ? -1 : 1);
const waitingForWindows = async () =>
  ((await table.rows(windowedRows).query(engagementId)) as WindowedRow[]).map(({ taskId }) => ({ taskId })).sort(byId);
const isHinted = async (name = queue, of = table) =>
  hintOf(await of.rows(workHints).find(hintKey, true), name) !== undefined;

test('a release finds the work that an earlier one queued: the name of a queue in the work hint never changes', () => {
  expect(hintOf({ qgKujzHG: 'stamp' }, scannerQueue('network', null, null))).toBe('stamp');
  expect(hintOf(undefined, queue)).toBeUndefined();
});

describe('a task waits', () => {
  test('in its queue, which the work hint names', async () => {
    const [one, two] = [waiting(), waiting()];
    expect(await isHinted()).toBe(false);
    await enqueue(one, two);
    expect(await queued()).toEqual(idsOf(one, two));
    expect([await isHinted(), await isHinted('web||'), await waitingForWindows()]).toEqual([true, false, []]);
  });

  test('in no queue outside of its windows, and in one until the window ends', async () => {
    const [closed, open, over] = [windowed(), windowed(60), windowed(0)];
    await enqueue(closed, open, over);
    expect(await queued()).toEqual([{ taskId: open.id, until: nowMs() + 60_000 }]);
    expect(await waitingForWindows()).toEqual(idsOf(closed, open, over));
    // one row and no other: it is no task of a pool
    expect(enqueueWrites(table.tenant, [closed])).toHaveLength(1);
  });

  test('in the queue of its pool, where its organization gets a turn and the scanners of the provider hear of it', async () => {
    const [provider, poolId] = [newOrganization(store.dynamo), newId()];
    const pool = { publicScannerGroupId: poolId, providerId: provider.organizationId };
    const [own, shared, held] = [waiting(), waiting(pool), { ...windowed(), ...pool }];
    await enqueue(own, shared, held);
    const [lane, pools] = [laneOf(poolId, 'network'), openPools(store.dynamo)];
    expect(await queued()).toEqual(idsOf(own));
    expect(await queued(poolQueue(lane, table.tenant), pools)).toEqual(idsOf(shared));
    expect(await queued(poolQueue(lane, table.tenant))).toEqual([]);
    expect(await pools.rows(turns).query(lane)).toMatchObject([{ organizationId: table.organizationId }]);
    expect([await isHinted(lane, provider), await isHinted(lane)]).toEqual([true, false]);
    const { organizationId } = table;
    expect(await pools.rows(windowedClients).find({ poolId, organizationId }, true)).toBeDefined();
    await commit(takeWrites(table.tenant, shared));
    expect(await queued(poolQueue(lane, table.tenant), pools)).toEqual([]);
  });

  test('nowhere if there is none: no hint is raised', () => {
    expect(enqueueRows(table.tenant, [])).toEqual([]);
    expect(enqueueWrites(table.tenant, [])).toEqual([]);
  });
});

describe('a task leaves its queue', () => {
  test('for one machine: another that was slower gets nothing', async () => {
    const [task, other] = [waiting(), waiting()];
    await enqueue(task, other);
    await commit(takeWrites(table.tenant, task));
    await expect(commit(takeWrites(table.tenant, task))).rejects.toBeInstanceOf(TaskTaken);
    await expect(commit(dequeueWrites(table.tenant, task))).rejects.toBeInstanceOf(TaskTaken);
    expect(await queued()).toEqual(idsOf(other));
  });

  test('and those that wait for a window, whether or not it is in the queue now', async () => {
    const [closed, open, taken] = [windowed(), windowed(60), windowed(60)];
    await enqueue(closed, open, taken);
    await commit(dequeueWrites(table.tenant, closed));
    await commit(dequeueWrites(table.tenant, open));
    expect([await queued(), await waitingForWindows()]).toEqual([
      [{ taskId: taken.id, until: nowMs() + 60_000 }],
      idsOf(taken),
    ]);
    await commit(takeWrites(table.tenant, taken));
    expect([await queued(), await waitingForWindows()]).toEqual([[], []]);
  });
});

describe('when a window', () => {
  test('opens, a task that still waits for it is offered until its end, and one that is gone is not', async () => {
    const [task, gone] = [windowed(), windowed()];
    await enqueue(task);
    const until = inSeconds(60);
    await expect(commit(offerWrites(table.tenant, [task, gone], until))).rejects.toBeInstanceOf(TaskTaken);
    expect(await queued()).toEqual([]);
    await commit(offerWrites(table.tenant, [task], until));
    expect(await queued()).toEqual([{ taskId: task.id, until: Date.parse(until) }]);
    expect(await isHinted()).toBe(true);
  });

  test('closes, a task leaves the queue, unless the next window has opened', async () => {
    const task = windowed(60);
    await enqueue(task);
    clock.pass(59.999);
    await expect(commit([closeWrite(table.tenant, task)])).rejects.toBeInstanceOf(TaskTaken);
    clock.pass(0.001);
    await commit([closeWrite(table.tenant, task)]);
    expect([await queued(), await waitingForWindows()]).toEqual([[], idsOf(task)]);
    // harmless to repeat
    await commit([closeWrite(table.tenant, task)]);
  });
});

test('of a queue as many tasks are looked at as asked, of no other organization', async () => {
  await enqueue(waiting(), waiting(), waiting());
  expect(await readQueue(table, queue, 2)).toHaveLength(2);
  expect(await readQueue(openTable(store.dynamo, newId()), queue, 2)).toEqual([]);
});
