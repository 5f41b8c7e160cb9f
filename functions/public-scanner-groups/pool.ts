import { laneOf, openPools, poolRows, turns, windowedClients } from '#shared/dispatch/pools.ts';
import { EVERYONE, readUsage } from '#shared/dispatch/usage.ts';
import { TASK_TYPES } from '#shared/entities/scan-target.ts';
import type { ErrorDetail } from '#shared/runtime/errors.ts';
import { tasksOf } from '#shared/scanners/group-counts.ts';
import type { Write } from '#shared/table/io/commit.ts';
import { rowKey } from '#shared/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/table/layout/keys.ts';
import { openTable, type Table } from '#shared/table/table.ts';

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
