import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { TaskTaken } from '#shared/scanning/scanner-tasks/queue.ts';
import type { ScannerTask } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import {
  countRunning,
  EVERYONE,
  type Limits,
  leftOf,
  readUsage,
  usageWrites,
} from '#shared/scanning/scanner-tasks/usage.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
let table: Table;
let groupId: string;
beforeEach(() => {
  table = newOrganization(store.dynamo);
  groupId = newId();
});

async function commit(writes: Write[], to = table): Promise<void> {
  const batch = to.batch();
  batch.write(...writes);
  await batch.commit();
}
const running = (owner: string, isShared?: boolean) => readUsage(table, { groupId, owner }, isShared);
const tasks = (count: number, more: Partial<ScannerTask> = {}) =>
  Array.from({ length: count }, () => ({ id: newId(), scannerGroupId: groupId, ...more })) as ScannerTask[];
const ofPool = () => ({ scannerGroupId: null, publicScannerGroupId: groupId, providerId: newId() });
const limits = (total: number | null, perOrganization: number | null = null): ReadonlyMap<string, Limits> =>
  new Map([[groupId, { total, perOrganization }]]);

test('as many tasks run as the limit says, and one more does not begin', async () => {
  const begin = (amount: number, most?: number | null) =>
    commit([countRunning({ scope: table.tenant, groupId, owner: EVERYONE }, amount, most)]);
  await begin(2, 3);
  await expect(begin(2, 3)).rejects.toBeInstanceOf(TaskTaken);
  await begin(1, 3);
  await expect(begin(1, 3)).rejects.toBeInstanceOf(TaskTaken);
  expect(await running(EVERYONE)).toBe(3);
  await begin(1, null);
  await begin(1);
  // what ends is counted, also beyond a limit that was lowered
  await begin(-1, 0);
  expect(await running(EVERYONE)).toBe(4);
});

describe('tasks that begin or end are counted', () => {
  test('of a group, for all together; of none not at all', async () => {
    await commit(usageWrites(table, [...tasks(2), ...tasks(1, { scannerGroupId: null })], { by: 1 }));
    expect([await running(EVERYONE), await running(table.organizationId)]).toEqual([2, 0]);
    await commit(usageWrites(table, tasks(1), { by: -1 }));
    expect(await running(EVERYONE)).toBe(1);
    expect(usageWrites(table, tasks(3, { scannerGroupId: null }), { by: 1 })).toEqual([]);
  });

  test('of a pool, for all organizations together and for each', async () => {
    const other = newOrganization(store.dynamo);
    await commit(usageWrites(table, tasks(2, ofPool()), { by: 1 }));
    await commit(usageWrites(other, tasks(1, ofPool()), { by: 1 }), other);
    expect([await running(EVERYONE, true), await running(table.organizationId, true)]).toEqual([3, 2]);
    expect(await running(EVERYONE)).toBe(0);
  });

  test('of a pool within both limits, else neither count changes', async () => {
    const begin = (count: number, within: ReadonlyMap<string, Limits>) =>
      commit(usageWrites(table, tasks(count, ofPool()), { by: 1, limits: within }));
    await begin(2, limits(4, 2));
    for (const within of [limits(4, 2), limits(2, 4)]) await expect(begin(1, within)).rejects.toBeInstanceOf(TaskTaken);
    expect([await running(EVERYONE, true), await running(table.organizationId, true)]).toEqual([2, 2]);
    await begin(1, limits(3, 3));
    expect([await running(EVERYONE, true), await running(table.organizationId, true)]).toEqual([3, 3]);
  });
});

test('what is left of a limit is never less than nothing, and without a limit there is no end', () => {
  expect([leftOf(3, 1), leftOf(3, 3), leftOf(3, 5), leftOf(0, 0), leftOf(null, 5)]).toEqual([2, 0, 0, 0, Infinity]);
});
