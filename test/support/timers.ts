import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { TIMER_SHARDS, type Timer, timers } from '#shared/platform/timers/timers.ts';

/** The timers of an organization: what the sweeper is to look at, and when. */
export async function timersOf({ organizationId, dynamo }: Table): Promise<Timer[]> {
  const rows = openTable(dynamo, GLOBAL_SCOPE).rows(timers);
  const shards = Array.from({ length: TIMER_SHARDS }, (_, shard) => rows.query(String(shard), { consistent: true }));
  return (await Promise.all(shards)).flat().filter((timer) => timer.organizationId === organizationId);
}
