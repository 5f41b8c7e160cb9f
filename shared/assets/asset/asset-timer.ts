import type { Table } from '#shared/platform/table/table.ts';
import { dailyTimer } from '#shared/platform/timers/daily.ts';
import { putTimer, type Timer } from '#shared/platform/timers/timers.ts';

/** Goes off once a day for each organization with assets. */
export const assetTimer = (table: Pick<Table, 'organizationId'>): Omit<Timer, 'shard'> => dailyTimer('asset', table);

/** For all code that makes assets, or sees them on another day. */
export async function keepAssetTimer(table: Table): Promise<void> {
  await table.write(putTimer(assetTimer(table)));
}
