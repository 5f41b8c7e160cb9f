import { beforeEach, expect, test } from 'vitest';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { openPools } from '#shared/scanning/scanner-tasks/pools.ts';
import type { ScannerTask } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { usages } from '#shared/scanning/scanner-tasks/usage.ts';
import { isUnassignable, withWaitingReasons } from '#shared/scanning/scanner-tasks/waiting.ts';
import { scannerGroups } from '#shared/scanning/scanners/scanner-group.ts';
import { injectFaults } from '../../../support/faults.ts';
import { putPool, scannerGroupDraft } from '../../../support/scanning.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();
let world: World;
beforeEach(() => {
  stopClock();
  world = newWorld(store.dynamo);
});

/** A task that has waited for a second, for no place in particular. */
const waiting = (more: Partial<ScannerTask> = {}) =>
  ({
    id: newId(),
    type: 'network',
    status: 'pending',
    zone: null,
    scannerGroupId: null,
    engagementId: newId(),
    updatedAt: inSeconds(-1),
    ...more,
  }) as ScannerTask;

const reasons = async (...tasks: ScannerTask[]) =>
  (await withWaitingReasons(world.table, tasks)).map(({ waitingReason }) => waitingReason);

/** A group in which one scanner is online, of which so many tasks run. */
async function newGroup(maxConcurrentTasks: number | null, running: number): Promise<string> {
  const { id } = await world.table.create(scannerGroups, scannerGroupDraft({ maxConcurrentTasks }));
  const scanner = await world.link({ groupIds: [id] });
  await world.poll(scanner.id);
  await world.table.rows(usages).put({ groupId: id, owner: '*', running });
  return id;
}

test('only a task that waits has a reason to wait', async () => {
  expect(await reasons(waiting(), waiting({ status: 'running' }), waiting({ status: 'failed' }))).toEqual([
    'no_scanner_in_zone',
    undefined,
    undefined,
  ]);
});

test.each([
  ['below its limit', 2, 1, undefined, 'all_busy'],
  ['at its limit', 2, 2, 'quota', 'quota'],
  ['without a limit', null, 500, undefined, 'all_busy'],
] as const)('a task of a group that is %s says so, now and after a while', async (_, limit, running, now, later) => {
  const scannerGroupId = await newGroup(limit, running);
  const place = { scannerGroupId };
  expect(await reasons(waiting(place), waiting({ ...place, updatedAt: inSeconds(-150.1) }))).toEqual([now, later]);
});

test('a task that no scanner of a full group can do waits for a scanner, not for room', async () => {
  const scannerGroupId = await newGroup(1, 1);
  expect(await reasons(waiting({ scannerGroupId, type: 'sast' }), waiting({ scannerGroupId, zone: 'dmz' }))).toEqual([
    'no_scanner_for_type',
    'no_scanner_in_zone',
  ]);
});

test('a task outside its windows says so until a window opens; a task of a deleted engagement names its other reason', async () => {
  const scanner = await world.link();
  await world.poll(scanner.id);
  const window = { days: ['mon'], to: '24:00', timeZone: 'UTC' };
  // it is Monday, ten o'clock
  const closed = await world.engage(['10.0.0.1'], { more: { windows: [{ ...window, from: '11:00' }] } });
  const open = await world.engage(['10.0.0.2'], { more: { windows: [{ ...window, from: '09:00' }] } });
  const ids = [closed.id, closed.id, open.id, newId()];
  const windowed = ids.map((engagementId) => waiting({ engagementId, windowed: true }));
  expect(await reasons(...windowed)).toEqual(['outside_window', 'outside_window', undefined, undefined]);
  expect(await reasons(waiting({ engagementId: closed.id }))).toEqual([undefined]);
});

test.each([
  ['has room', {}, { all: 1, own: 1 }, undefined],
  ['is full', {}, { all: 4, own: 1 }, 'quota'],
  ['has no more room for this organization', {}, { all: 3, own: 2 }, 'quota'],
  [
    'has no limit',
    { maxConcurrentTasks: null, maxConcurrentTasksPerOrganization: null },
    { all: 9, own: 9 },
    undefined,
  ],
  ['is closed', { enabled: false }, { all: 4, own: 2 }, 'all_offline'],
] as const)('a task of a pool that %s says so', async (_, more, { all, own }, reason) => {
  const [provider, poolId] = [newWorld(store.dynamo), newId()];
  const { organizationId: providerId } = provider.table;
  const limits = { maxConcurrentTasks: 4, maxConcurrentTasksPerOrganization: 2 };
  await putPool(store.dynamo, { poolId, providerId, ...limits, ...more });
  const task = waiting({ publicScannerGroupId: poolId, providerId });
  expect(await reasons(task)).toEqual(['all_offline']);
  const scanner = await provider.link({ publicGroupIds: [poolId] });
  await provider.poll(scanner.id);
  const counts = openPools(store.dynamo).rows(usages);
  await counts.put({ groupId: poolId, owner: '*', running: all });
  await counts.put({ groupId: poolId, owner: world.table.organizationId, running: own });
  expect(await reasons(task)).toEqual([reason]);
});

test('a task of a pool that was removed waits as if all of its scanners were offline', async () => {
  expect(await reasons(waiting({ publicScannerGroupId: newId(), providerId: newId() }))).toEqual(['all_offline']);
});

test('a task with a reason to wait is shown with all that it had', async () => {
  const { id: engagementId } = await world.engage(['10.0.0.1'], {
    more: { windows: [{ days: ['tue'], from: '00:00', to: '24:00', timeZone: 'UTC' }] },
  });
  const tasks = [waiting(), waiting({ engagementId, windowed: true })];
  expect(await withWaitingReasons(world.table, tasks)).toEqual([
    { ...tasks[0], waitingReason: 'no_scanner_in_zone' },
    { ...tasks[1], waitingReason: 'outside_window' },
  ]);
});

test.each([
  ['place', {}],
  ['engagement outside its windows', { windowed: true as const }],
])('many tasks of one %s cost as many reads as one of them', async (_, more) => {
  const scannerGroupId = await newGroup(2, 1);
  const { id: engagementId } = await world.engage(['10.0.0.1']);
  const dynamo = store.connect();
  let reads = 0;
  injectFaults(dynamo, { random: () => 1, before: () => void reads++ });
  const table = openTable(dynamo, world.table.organizationId);
  const costOf = async (count: number) => {
    reads = 0;
    const of = { scannerGroupId, engagementId, ...more };
    await withWaitingReasons(
      table,
      Array.from({ length: count }, () => waiting(of)),
    );
    return reads;
  };
  expect(await costOf(5)).toBe(await costOf(1));
});

test.each<[boolean, Record<string, number>]>([
  [true, {}],
  [true, { any: 2 }],
  [true, { web: 1 }],
  [false, { any: 2, web: 1 }],
])('whether no scanner can ever take a task (%s) does not depend on who is online: %j', (is, fit) => {
  expect(isUnassignable(fit, 'web')).toBe(is);
});
