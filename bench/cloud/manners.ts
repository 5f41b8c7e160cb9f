import { createHash } from 'node:crypto';
import type { CloudRequest, WrittenRow } from './requests.ts';

/** Latencies in milliseconds as seen from a function of the same region; a transaction's grows with its rows. */
export function latencyOf({ isRead, isTransaction, rows }: CloudRequest): number {
  if (isTransaction) return 25 + (15 * rows.length) / 100;
  return isRead ? 4 : 8;
}

/**
 * A partition takes 1,000 write units a second
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html).
 */
const PARTITION_UNITS = 1000;

/**
 * A new on-demand table takes 4,000 write units a second; a warm table takes its warm throughput
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html).
 */
export const FRESH_UNITS = 4000;

/** Write units by partition. */
type Limits = {
  /** The rows for which their partitions have no units left; takes the units of the others. */
  over(rows: readonly WrittenRow[], allOrNothing: boolean): boolean[];
};

/**
 * The number of partitions that the table's units need, each with a second's worth of units. A hash assigns each
 * partition key to a partition for good: DynamoDB splits a hot partition only after minutes, and never within one
 * partition key whose sort keys grow. The minutes of unused units that DynamoDB may lend are not promised, so they are
 * not counted.
 */
export function partitionLimits(unitsPerSecond: number, now: () => number): Limits {
  const count = Math.ceil(unitsPerSecond / PARTITION_UNITS);
  const partitions = Array.from({ length: count }, () => ({ left: PARTITION_UNITS, at: now() }));
  const of = ({ pk }: WrittenRow) => partitions[createHash('sha1').update(pk).digest().readUInt32BE() % count];
  const refill = () => {
    for (const partition of partitions) {
      const gained = ((now() - partition.at) * PARTITION_UNITS) / 1000;
      Object.assign(partition, { left: Math.min(PARTITION_UNITS, partition.left + gained), at: now() });
    }
  };
  return {
    over(rows, allOrNothing) {
      refill();
      const before = partitions.map(({ left }) => left);
      const refused = rows.map((row) => {
        const partition = of(row);
        // A row that is larger than a second's units is taken from a full partition.
        if (!partition || partition.left < Math.min(row.units, PARTITION_UNITS)) return true;
        partition.left -= row.units;
        return false;
      });
      if (allOrNothing && refused.includes(true))
        for (const [n, partition] of partitions.entries()) partition.left = before[n] ?? 0;
      return refused;
    },
  };
}

/**
 * Rows of running transactions. A transaction or single write that meets one of them is refused; a single write in
 * flight refuses nobody (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html).
 */
export function rowLocks() {
  const held = new Set<string>();
  return {
    held: (rows: readonly WrittenRow[]): boolean[] => rows.map(({ id }) => held.has(id)),
    take: (rows: readonly WrittenRow[]) => {
      for (const { id } of rows) held.add(id);
    },
    release: (rows: readonly WrittenRow[]) => {
      for (const { id } of rows) held.delete(id);
    },
  };
}
