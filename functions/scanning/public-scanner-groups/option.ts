import type { Table } from '#shared/platform/table/table.ts';
import { inOrganization } from '#shared/platform/table/table.ts';
import { tasksOf } from '#shared/scanning/fleet/group-counts.ts';
import { membersOf } from '#shared/scanning/fleet/groups.ts';
import { holdingNow, poolSourceIps } from '#shared/scanning/fleet/source-ips.ts';
import type { Pool } from '#shared/scanning/scanner-tasks/pools.ts';
import type { PublicGroupOption } from './routes.ts';

/** The client's view of a pool: its availability and the client's own counts. */
export async function showOption(table: Table, pool: Pool): Promise<PublicGroupOption> {
  const { poolId, providerId, name, description, region, taskTypes } = pool;
  const provider = inOrganization(table, providerId);
  const [{ scanners }, ips, mine] = await Promise.all([
    membersOf(provider, poolId),
    poolSourceIps(provider, poolId),
    tasksOf(table, poolId),
  ]);
  return {
    id: poolId,
    name,
    description,
    region,
    taskTypes,
    sourceIps: holdingNow(ips),
    availability: availabilityOf(pool, scanners),
    myPending: mine.pending,
    myRunning: mine.running,
  };
}

function availabilityOf({ enabled }: Pool, { total, online }: { total: number; online: number }) {
  if (!enabled || online === 0) return 'unavailable';
  return online < total ? 'degraded' : 'available';
}
