import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, rowKey } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { isPoolTask } from './pools.ts';
import { TaskTaken } from './queue.ts';
import { groupOfTask, type ScannerTask } from './scanner-task.ts';

/** How many tasks of a group or pool run now: in total (`*`), and for a pool also per organization. */
type Usage = { groupId: string; owner: string; running: number };
type UsageKey = Pick<Usage, 'groupId' | 'owner'>;

export const usages = defineRow<Usage, UsageKey>({
  name: 'usage',
  about: 'how many tasks of a group, pool or organization run now, for its limit',
  key: ({ groupId, owner }) => [groupId, owner],
});

export const EVERYONE = '*';

/** How many tasks may run; null: no limit. */
export type Limits = { total: number | null; perOrganization: number | null };

type Scoped = Pick<Table, 'tenant' | 'organizationId'>;

/**
 * The writes that count tasks which begin (+1) or cease (-1) to run, for the transaction of that change. Limits hold
 * also between simultaneous leases: beyond a limit the transaction fails with `TaskTaken`.
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
    const scope = shared ? GLOBAL_SCOPE : table.tenant;
    const all = countRunning({ scope, groupId, owner: EVERYONE }, amount, limit?.total);
    if (!shared) return [all];
    return [all, countRunning({ scope, groupId, owner: table.organizationId }, amount, limit?.perOrganization)];
  });
}

type Change = { by: 1 | -1; limits?: ReadonlyMap<string, Limits> };

/** The write that counts the running tasks of one owner. Beyond `most` it fails with `TaskTaken`. */
export function countRunning(
  { scope, ...key }: UsageKey & { scope: string },
  amount: number,
  most?: number | null,
): Write {
  const isLimited = amount > 0 && most !== null && most !== undefined;
  return {
    change: rowKey(scope, usages, key),
    add: { running: amount },
    ...(isLimited && {
      condition: {
        ConditionExpression: 'attribute_not_exists(#r) OR #r <= :most',
        ExpressionAttributeNames: { '#r': 'running' },
        ExpressionAttributeValues: { ':most': most - amount },
      },
    }),
    fail: () => new TaskTaken(),
  };
}

/** How many tasks run now. The counts of pools have the key scope of all pools. */
export async function readUsage(table: Table, key: UsageKey, isShared = false): Promise<number> {
  const home = isShared ? openTable(table.dynamo, GLOBAL_SCOPE) : table;
  return (await home.rows(usages).find(key, true))?.running ?? 0;
}

/** How many more tasks may start within a limit. */
export const leftOf = (most: number | null, running: number): number =>
  most === null ? Number.POSITIVE_INFINITY : Math.max(0, most - running);
