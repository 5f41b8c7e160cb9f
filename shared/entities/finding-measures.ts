import type { Severity } from '../reports/report.ts';
import type { Tally } from '../table/entity.ts';
import { type Repair, repairOf, type StatusFields, secondsBetween } from './finding-status.ts';

/**
 * What a finding adds to the counters of days, from which the 7-day numbers and the mean times are read.
 *
 * Facet `day`, one row a day: `o` opened, `r` reopened; per severity (first letter) `f?` fixed and `F?` the sum of the
 * seconds it took, `a?` acknowledged and `A?` their seconds. Facet `repair` and `acknowledge`: per severity and bucket
 * (`h12`) how many took about that long, for median and 90th percentile.
 */
type Measured = StatusFields & { severity: Severity };

export function dayCounters(finding: Measured): Tally[] {
  const letter = finding.severity[0] ?? '';
  const days = new Map<string, Record<string, number>>();
  const add = (time: string, counters: Record<string, number>) => {
    const day = days.get(dayOf(time)) ?? {};
    for (const [name, amount] of Object.entries(counters)) day[name] = (day[name] ?? 0) + amount;
    days.set(dayOf(time), day);
  };
  add(finding.firstSeenAt, { o: 1 });
  if (finding.reopenedAt) add(finding.reopenedAt, { r: 1 });
  for (const { at, seconds } of allRepairs(finding)) add(at, { [`f${letter}`]: 1, [`F${letter}`]: seconds });
  if (finding.acknowledgedAt)
    add(finding.acknowledgedAt, { [`a${letter}`]: 1, [`A${letter}`]: acknowledgeSeconds(finding) });
  return [...days].map(([value, counters]) => ({ facet: 'day', value, add: counters }));
}

export function repairBuckets(finding: Measured): Tally[] {
  const letter = finding.severity[0] ?? '';
  const bucket = (facet: string, at: string, seconds: number): Tally => ({
    facet,
    value: dayOf(at),
    add: { [`${letter}${bucketOf(seconds)}`]: 1 },
  });
  return [
    ...allRepairs(finding).map(({ at, seconds }) => bucket('repair', at, seconds)),
    ...(finding.acknowledgedAt ? [bucket('acknowledge', finding.acknowledgedAt, acknowledgeSeconds(finding))] : []),
  ];
}

/** Each bucket is 19 % wider than the one before, so a percentile read from buckets is off by 9 % at most. */
const BUCKETS_PER_DOUBLING = 4;

export const bucketOf = (seconds: number): number =>
  seconds < 1 ? 0 : 1 + Math.floor(Math.log2(seconds) * BUCKETS_PER_DOUBLING);

/** The middle of a bucket, in seconds. */
export const bucketSeconds = (bucket: number): number =>
  bucket === 0 ? 0 : Math.round(2 ** ((bucket - 0.5) / BUCKETS_PER_DOUBLING));

const allRepairs = (finding: Measured): Repair[] => [...(finding.repairs ?? []), ...repairOf(finding)];
const acknowledgeSeconds = ({ firstSeenAt, acknowledgedAt = firstSeenAt }: Measured): number =>
  secondsBetween(firstSeenAt, acknowledgedAt);
const dayOf = (time: string): string => time.slice(0, 10);
