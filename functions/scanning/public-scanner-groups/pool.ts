import { TASK_TYPES } from '#shared/assets/targets/scan-target.ts';
import type { ErrorDetail } from '#shared/platform/runtime/errors.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { rowKey } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { tasksOf } from '#shared/scanning/fleet/group-counts.ts';
import { laneOf, openPools, poolRows, turns, windowedClients } from '#shared/scanning/scanner-tasks/pools.ts';
import { EVERYONE, readUsage } from '#shared/scanning/scanner-tasks/usage.ts';

export const poolRemoval = (poolId: string): Write => ({ remove: rowKey(GLOBAL_SCOPE, poolRows, { poolId }) });

/** The uses of a pool: its running tasks, and the number of organizations with waiting tasks. Clients are not named. */
export async function usesOf(table: Table, poolId: string): Promise<ErrorDetail[]> {
  const [running, clients] = await Promise.all([
    readUsage(table, { groupId: poolId, owner: EVERYONE }, true),
    readClients(openPools(table.dynamo), poolId),
  ]);
  const waiting = await Promise.all(clients.map((id) => tasksOf(openTable(table.dynamo, id), poolId, true)));
  const count = waiting.filter(({ pending }) => pending > 0).length;
  return [
    ...(running > 0 ? [{ path: 'tasks', message: `${running} running tasks` }] : []),
    ...(count > 0 ? [{ path: 'organizations', message: `waiting tasks of ${count} organizations` }] : []),
  ];
}

/** The organizations whose tasks may wait for a pool, in its queues or for a window. */
async function readClients(shared: Table, poolId: string): Promise<string[]> {
  const stops = TASK_TYPES.map((type) => shared.rows(turns).query(laneOf(poolId, type), { consistent: true }));
  const windowed = shared.rows(windowedClients).query(poolId, { consistent: true });
  const found = await Promise.all([...stops, windowed]);
  return [...new Set(found.flat().map(({ organizationId }) => organizationId))];
}

/** Removes the client rows of a deleted pool. */
export async function forgetClients({ dynamo }: Table, poolId: string): Promise<void> {
  const rows = openPools(dynamo).rows(windowedClients);
  for (const client of await rows.query(poolId, { consistent: true })) await rows.remove(client);
}
