import { groupOfTask, type ScannerTask } from '../entities/scanner-task.ts';
import type { Write } from '../table/io/commit.ts';
import { defineRow, rowKey } from '../table/io/row.ts';
import { GLOBAL_SCOPE } from '../table/layout/keys.ts';
import { openTable, type Table } from '../table/table.ts';
import { isPoolTask } from './pools.ts';
import { TaskTaken } from './queue.ts';

/** How many tasks of a group or pool run now, in all (`*`) and of a pool per organization. */
type Usage = { groupId: string; owner: string; running: number };
type UsageKey = Pick<Usage, 'groupId' | 'owner'>;

export const usages = defineRow<Usage, UsageKey>({
  name: 'usage',
  about: 'how many tasks of a group, pool or organization run now, for its limit',
  key: ({ groupId, owner }) => [groupId, owner],
});

export const EVERYONE = '*';

/** The most that may run; null: as many as there are. */
export type Limits = { total: number | null; perOrganization: number | null };

type Scoped = Pick<Table, 'scope' | 'organizationId'>;

/**
 * Counts tasks that begin (+1) or cease (-1) to run, in the transaction of that change. With limits they hold whoever
 * else leases at the same time: it fails with `TaskTaken`.
 */
export function usageWrites(table: Scoped, tasks: readonly ScannerTask[], change: Change): Write[] {
  const byGroup = Map.groupBy(
    tasks.filter((task) => groupOfTask(task)),
    (task) => groupOfTask(task) ?? '',
  );
  return [...byGroup].flatMap(([groupId, some]) => {
    const limit = change.limits?.get(groupId);
    const amount = change.by * some.length;
    const shared = some.some(isPoolTask);
    const scope = shared ? GLOBAL_SCOPE : table.scope;
    const all = countRunning({ scope, groupId, owner: EVERYONE }, amount, limit?.total);
    if (!shared) return [all];
    return [all, countRunning({ scope, groupId, owner: table.organizationId }, amount, limit?.perOrganization)];
  });
}

type Change = { by: 1 | -1; limits?: ReadonlyMap<string, Limits> };

/** Counts what runs of one owner; with `most` it fails with `TaskTaken` where it would be more. */
export function countRunning(
  { scope, ...key }: UsageKey & { scope: string },
  amount: number,
  most?: number | null,
): Write {
  const isLimited = amount > 0 && most !== null && most !== undefined;
  return {
    change: rowKey(scope, usages, key),
    set: {
      UpdateExpression: 'ADD #r :n',
      ExpressionAttributeNames: { '#r': 'running' },
      ExpressionAttributeValues: { ':n': amount, ...(isLimited && { ':most': most - amount }) },
      ...(isLimited && { ConditionExpression: 'attribute_not_exists(#r) OR #r <= :most' }),
    },
    fail: () => new TaskTaken(),
  };
}

/** How many run now. A pool's count per organization lies with the pools. */
export async function readUsage(table: Table, key: UsageKey, isShared = false): Promise<number> {
  const home = isShared ? openTable(table.dynamo, GLOBAL_SCOPE) : table;
  return (await home.rows(usages).find(key, true))?.running ?? 0;
}

/** What may still start within the limits. */
export const leftOf = (most: number | null, running: number): number =>
  most === null ? Number.POSITIVE_INFINITY : Math.max(0, most - running);
