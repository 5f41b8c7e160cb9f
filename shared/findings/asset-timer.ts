import { createHash } from 'node:crypto';
import { DAY_MS, nowMs } from '../runtime/clock.ts';
import type { Table } from '../table/table.ts';
import { putTimer, type Timer } from '../timers/timers.ts';

/**
 * Goes off once a day for each organization with assets, at a moment of its own. All who put the timer of a day write the same
 * row, so that nobody needs to know whether it stands.
 */
export function assetTimer({ organizationId }: Pick<Table, 'organizationId'>): Omit<Timer, 'shard'> {
  const moment = createHash('sha1').update(organizationId).digest().readUInt32BE(0) % DAY_MS;
  const at = (Math.floor(nowMs() / DAY_MS) + 1) * DAY_MS + moment;
  return { kind: 'asset', at, organizationId, id: organizationId };
}

/** For whatever makes assets, or sees them on another day. */
export async function keepAssetTimer(table: Table): Promise<void> {
  const batch = table.batch();
  batch.write(putTimer(assetTimer(table)));
  await batch.commit();
}
