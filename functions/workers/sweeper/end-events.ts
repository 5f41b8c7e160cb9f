import { readLimits } from '#shared/platform/quotas/limits.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { DAY_MS, nowMs } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { rowKey } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { dailyTimer } from '#shared/platform/timers/daily.ts';
import { putTimer, removeTimer } from '#shared/platform/timers/timers.ts';
import { dayOf } from '#shared/reports/report/time-measures.ts';
import { type Segment, segmentKey, segmentPairs, segments, segmentWords } from '#shared/soc/siem/segments.ts';
import { hoursOf, readVolumes, volumeWrites } from '#shared/soc/siem/volume.ts';
import type { Due } from './due.ts';

/** The most segments that one call removes: the timer stays due until all are removed. */
const MAX_SEGMENTS = 400;
/** Each takes two rows of a transaction, and up to two for its counters. */
const AT_ONCE = 20;

/**
 * Removes events after the days of retention that their organization is entitled to. The timer ends with the last
 * events.
 */
export async function endEvents({ table, connections: { bucket }, timer }: Due): Promise<void> {
  const { siemRetentionDays } = await readLimits(table);
  const cutoff = dayOf(new Date(nowMs() - siemRetentionDays * DAY_MS).toISOString());
  const days = await readVolumes(table, { from: '0', to: '9' });
  const over = days.filter(({ day }) => day < cutoff).flatMap((row) => hoursOf(row));
  let left = MAX_SEGMENTS;
  for (const { hour } of over) {
    const found = await table.rows(segments).query(hour, { limit: left });
    for (const part of chunksOf(found, AT_ONCE)) await removeSegments({ table, bucket }, part);
    left -= found.length;
    if (left <= 0) return;
  }
  const isEmpty = days.every(({ day }) => day < cutoff);
  await table.write(removeTimer(timer), ...(isEmpty ? [] : [putTimer(dailyTimer('siem-events', table))]));
}

/** Removes the objects first: after a failure, the remaining rows name what to remove again. */
async function removeSegments(
  { table, bucket }: { table: Table; bucket: Connections['bucket'] },
  some: readonly Segment[],
): Promise<void> {
  const { tenant, organizationId } = table;
  await bucket.remove(some.map((one) => segmentKey(organizationId, one)));
  const batch = table.batch();
  const isThere = { ConditionExpression: 'attribute_exists(pk)' };
  for (const one of some)
    batch.write(
      { remove: rowKey(tenant, segments, one), condition: isThere },
      { remove: rowKey(tenant, segmentWords, one) },
      { remove: rowKey(tenant, segmentPairs, one) },
    );
  batch.write(...volumeWrites(table, some, -1));
  await batch.commit();
}
