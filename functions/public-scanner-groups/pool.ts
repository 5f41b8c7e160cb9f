import type { PublicScannerGroup } from '#shared/entities/public-scanner-group.ts';
import { TASK_TYPES } from '#shared/entities/scanner.ts';
import type { ErrorDetail } from '#shared/http/errors.ts';
import { shortId } from '#shared/ids.ts';
import { laneOf, openPools, type Pool, poolQueue, poolRows, turns } from '#shared/scanning/pools.ts';
import { pendingRows } from '#shared/scanning/queue.ts';
import { EVERYONE, readUsage } from '#shared/scanning/usage.ts';
import type { Write } from '#shared/table/commit.ts';
import { GLOBAL_SCOPE } from '#shared/table/keys.ts';
import { putWrite, rowKey } from '#shared/table/row.ts';
import type { Table } from '#shared/table/table.ts';

/** The copy of a pool's record that its clients and scanners read, for the transaction that changes the record. */
export function poolWrite({ organizationId }: Table, group: PublicScannerGroup): Write {
  const { name, description, region, dispatch, taskTypes, visibility, organizationIds, enabled } = group;
  const { maxConcurrentTasks, maxConcurrentTasksPerOrganization } = group;
  const row: Pool = {
    poolId: group.id,
    providerId: organizationId,
    ...{ name, description, region, dispatch, taskTypes, visibility, organizationIds, enabled },
    ...{ maxConcurrentTasks, maxConcurrentTasksPerOrganization },
  };
  return putWrite(GLOBAL_SCOPE, poolRows, { row });
}

export const poolRemoval = (poolId: string): Write => ({ remove: rowKey(GLOBAL_SCOPE, poolRows, { poolId }) });

/** What uses a pool: tasks that run in it, and organizations whose tasks wait for it. Clients are not named. */
export async function usesOf(table: Table, poolId: string): Promise<ErrorDetail[]> {
  const shared = openPools(table.dynamo);
  const [running, waiting] = await Promise.all([
    readUsage(table, { groupId: poolId, owner: EVERYONE }, true),
    Promise.all(TASK_TYPES.map((type) => waitingIn(shared, laneOf(poolId, type)))),
  ]);
  const clients = new Set(waiting.flat()).size;
  return [
    ...(running > 0 ? [{ path: 'tasks', message: `${running} running tasks` }] : []),
    ...(clients > 0 ? [{ path: 'organizations', message: `waiting tasks of ${clients} organizations` }] : []),
  ];
}

/** The organizations with tasks in a lane. A turn stays until a poll finds its queue empty, and none may come any more. */
async function waitingIn(shared: Table, lane: string): Promise<string[]> {
  const stops = await shared.rows(turns).query(lane, { consistent: true });
  const queues = stops.map(async ({ organizationId }) => {
    const queue = poolQueue(lane, shortId(organizationId));
    const [first] = await shared.rows(pendingRows).query(queue, { limit: 1, consistent: true });
    return first ? [organizationId] : [];
  });
  return (await Promise.all(queues)).flat();
}
