import type { Counts } from '#shared/platform/table/counters.ts';
import { bucketOfName, bucketSeconds, SUM } from '#shared/reports/report/time-measures.ts';
import type { Measure } from './mean-time-records.ts';

/** How many things took about this long. */
export type Weighted = { seconds: number; count: number };

/** The value that the share `p` of all does not exceed (nearest rank). */
function percentile(all: readonly Weighted[], p: number): number {
  const sorted = all.toSorted((a, b) => a.seconds - b.seconds);
  const wanted = Math.ceil(p * total(sorted));
  let seen = 0;
  for (const { seconds, count } of sorted) {
    seen += count;
    if (seen >= wanted) return seconds;
  }
  return 0;
}

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

export const total = (all: readonly Weighted[]): number => sum(all.map(({ count }) => count));

/** The measures of histogram rows; null where the rows count nothing. */
export function measureOf(rows: readonly Counts[]): Measure | null {
  const entries = rows.flatMap((counts) => Object.entries(counts));
  const buckets = entries
    .filter(([name, count]) => name !== SUM && count > 0)
    .map(([name, count]) => ({ seconds: bucketSeconds(bucketOfName(name)), count }));
  const seconds = entries.reduce((sum, [name, amount]) => (name === SUM ? sum + amount : sum), 0);
  const count = total(buckets);
  return count === 0 ? null : rounded({ mean: seconds / count, spread: buckets, count });
}

export function rounded({
  mean,
  spread,
  count,
}: {
  mean: number;
  spread: readonly Weighted[];
  count: number;
}): Measure {
  return {
    meanSeconds: Math.round(mean),
    medianSeconds: Math.round(atMost(percentile(spread, 0.5), { mean, p: 0.5 })),
    p90Seconds: Math.round(atMost(percentile(spread, 0.9), { mean, p: 0.9 })),
    count,
  };
}

/**
 * The estimate, or less where it does not fit the exact mean: the share 1 - p takes at least as long, so the mean is at
 * least 1 - p of it (Markov's inequality).
 */
const atMost = (estimate: number, { mean, p }: { mean: number; p: number }): number =>
  Math.min(estimate, mean / (1 - p));
