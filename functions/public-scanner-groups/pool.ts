import type { PublicScannerGroup } from '#shared/entities/public-scanner-group.ts';
import { TASK_TYPES } from '#shared/entities/scanner.ts';
import type { ErrorDetail } from '#shared/http/errors.ts';
import { laneOf, openPools, POOL_SCOPE, type Pool, poolRows, turns } from '#shared/scanning/pools.ts';
import { EVERYONE, readUsage } from '#shared/scanning/usage.ts';
import type { Write } from '#shared/table/commit.ts';
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
  return putWrite(POOL_SCOPE, poolRows, { row });
}

export const poolRemoval = (poolId: string): Write => ({ remove: rowKey(POOL_SCOPE, poolRows, { poolId }) });

/** What uses a pool: tasks that run in it, and organizations whose tasks wait for it. Clients are not named. */
export async function usesOf(table: Table, poolId: string): Promise<ErrorDetail[]> {
  const lanes = TASK_TYPES.map((type) => openPools(table.dynamo).rows(turns).query(laneOf(poolId, type)));
  const [running, waiting] = await Promise.all([
    readUsage(table, { groupId: poolId, owner: EVERYONE }, true),
    Promise.all(lanes),
  ]);
  const clients = new Set(waiting.flat().map(({ organizationId }) => organizationId)).size;
  return [
    ...(running > 0 ? [{ path: 'tasks', message: `${running} running tasks` }] : []),
    ...(clients > 0 ? [{ path: 'organizations', message: `waiting tasks of ${clients} organizations` }] : []),
  ];
}
