import type { Severity } from '../reports/report.ts';
import { ordinalOf } from '../runtime/ids.ts';
import type { Tally } from '../table/entity.ts';
import { isOpen, openSince, type Repair, repairOf, type StatusFields, secondsBetween } from './finding-status.ts';

/**
 * The counters that a finding adds to; the dashboards are read from them. All days are UTC. Rows hold several days or
 * many buckets, because reads are paid by the byte and each row costs some 45 bytes on top of its counters:
 *
 * - `day`, a row for ten days (`2026-11-2`): per day (its last digit) `o` opened, `r` returned, `f` fixed and `F` the
 *   seconds that took;
 * - `trend`, a row for the same ten days: per day and severity (`oc1`: critical ones opened on the day that ends in 1) `o` opened,
 *   `r` returned, each time, and `f` fixed;
 * - `asset`, the same by asset: a row for ten days of eight assets, the asset's digit before each name (`countersOf`);
 * - `open`, a row for the same eight assets: how many findings of each severity are open (`5h`: high ones of the asset with the digit 5);
 * - `repair` and `acknowledge`, a row per month and severity (`2026-11c`): how many took about so long (`bucketOf`), and
 *   `S`, the exact sum of their seconds;
 * - `due` and `since`, a row per month: how many open findings are due on, and have been open since, each day of it.
 */
type Measured = StatusFields & { severity: Severity; dueAt?: string; asset: { id: string } };

export const measures = (finding: Measured): Tally[] => [
  ...trendCounters(finding).flatMap((one) => [one, ofAsset(finding, one)]),
  ...timeMeasures(finding),
];

/** All but `trend` and `asset`. */
export const timeMeasures = (finding: Measured): Tally[] => [
  ...dayCounters(finding),
  ...allRepairs(finding).map(({ at, seconds }) => bucketTally('repair', finding, { at, seconds })),
  ...acknowledgements(finding).map((one) => bucketTally('acknowledge', finding, one)),
  ...(isOpen(finding.status) && finding.dueAt ? [dayTally('due', finding.dueAt)] : []),
  ...(isOpen(finding.status) ? [dayTally('since', openSince(finding)), openOnAsset(finding)] : []),
];

/** `S` of a histogram row; no bucket has this name, buckets are in lower case. */
export const SUM = 'S';

export const dayOf = (time: string): string => time.slice(0, 10);
export const monthOf = (time: string): string => time.slice(0, 7);
/** The row of `day` that a day is in, and the end of its counters' names there. */
export const tenDaysOf = (day: string): { row: string; digit: string } => ({
  row: day.slice(0, 9),
  digit: day.slice(9),
});
/** The value of a histogram row. */
export const monthRow = (month: string, severity: Severity): string => `${month}${severity.slice(0, 1)}`;

function dayCounters(finding: Measured): Tally[] {
  const { add, tallies } = byTenDays('day');
  add(finding.firstSeenAt, { o: 1 });
  if (finding.reopenedAt) add(finding.reopenedAt, { r: 1 });
  for (const { at, seconds } of allRepairs(finding)) add(at, { f: 1, F: seconds });
  return tallies();
}

/** Assets that one scan made have neighbouring ordinals, and often one finding each: so many share their rows. */
const ASSETS_PER_ROW = 8;

/**
 * Where the counters of an asset are: in the rows of its block, the one of all days or those of some ten, with a digit of its own
 * before their names.
 */
export const countersOf = (assetId: string): AssetCounters => countersAt(ordinalOf(assetId));

type AssetCounters = { block: string; rowOf: (tenDays: string) => string; digit: string };

export function countersAt(ordinal: number): AssetCounters {
  const block = Math.floor(ordinal / ASSETS_PER_ROW)
    .toString(36)
    .padStart(8, '0');
  return { block, rowOf: (tenDays) => `${block} ${tenDays}`, digit: String(ordinal % ASSETS_PER_ROW) };
}

function openOnAsset({ asset, severity }: Measured): Tally {
  const { block, digit } = countersOf(asset.id);
  return { facet: 'open', value: block, add: { [openCounter(digit, severity)]: 1 } };
}

export const openCounter = (digit: string, severity: Severity): string => `${digit}${severity.slice(0, 1)}`;

function ofAsset({ asset }: Measured, { value, add = {} }: Tally): Tally {
  const { rowOf, digit } = countersOf(asset.id);
  const own = Object.entries(add).map(([name, amount]) => [digit + name, amount]);
  return { facet: 'asset', value: rowOf(value ?? ''), add: Object.fromEntries(own) };
}

function trendCounters(finding: Measured): Tally[] {
  const { add, tallies } = byTenDays('trend');
  const count = (kind: TrendKind, time: string) => add(time, { [trendCounter(kind, finding.severity)]: 1 });
  count('opened', finding.firstSeenAt);
  for (const at of returnsOf(finding)) count('reopened', at);
  for (const { at } of allRepairs(finding)) count('fixed', at);
  return tallies();
}

const TREND_KINDS = { opened: 'o', reopened: 'r', fixed: 'f' } as const;
export type TrendKind = keyof typeof TREND_KINDS;

/** The name of a counter of `trend` without the digit of its day. */
export const trendCounter = (kind: TrendKind, severity: Severity): string => TREND_KINDS[kind] + severity.slice(0, 1);

/** One return for each repair but the present one, so that opened and returned less fixed is 1 until the finding is fixed. */
function returnsOf(finding: StatusFields): string[] {
  const opened = allRepairs(finding).map(({ at, seconds }) => new Date(Date.parse(at) - seconds * 1000).toISOString());
  const isBack = finding.status !== 'fixed' && finding.reopenedAt;
  return [...opened.slice(1), ...(isBack ? [isBack] : [])];
}

/** Counters of days in rows of ten days each. */
function byTenDays(facet: string) {
  const rows = new Map<string, Record<string, number>>();
  const add = (time: string, counters: Record<string, number>): void => {
    const { row, digit } = tenDaysOf(dayOf(time));
    const known = rows.get(row) ?? {};
    for (const [name, amount] of Object.entries(counters))
      known[`${name}${digit}`] = (known[`${name}${digit}`] ?? 0) + amount;
    rows.set(row, known);
  };
  const tallies = (): Tally[] => [...rows].map(([value, counters]) => ({ facet, value, add: counters }));
  return { add, tallies };
}

export const dayTally = (facet: string, time: string): Tally => ({
  facet,
  value: monthOf(time),
  add: { [time.slice(8, 10)]: 1 },
});

const bucketTally = (facet: string, { severity }: Measured, { at, seconds }: Repair): Tally => ({
  facet,
  value: monthRow(monthOf(at), severity),
  add: { [bucketName(bucketOf(seconds))]: 1, [SUM]: seconds },
});

const bucketName = (bucket: number): string => bucket.toString(36);
export const bucketOfName = (name: string): number => Number.parseInt(name, 36);

/**
 * Times under a minute share the first bucket; from there each bucket is 19 % wider than the one before, so that a
 * percentile read from buckets is off by 9.1 % at most (half a minute in the first one).
 */
const BUCKETS_PER_DOUBLING = 4;
const FIRST_SECONDS = 60;

const bucketOf = (seconds: number): number =>
  seconds < FIRST_SECONDS ? 0 : 1 + Math.floor(Math.log2(seconds / FIRST_SECONDS) * BUCKETS_PER_DOUBLING);

/** The (geometric) middle of a bucket, in seconds. */
export const bucketSeconds = (bucket: number): number =>
  bucket === 0 ? FIRST_SECONDS / 2 : FIRST_SECONDS * 2 ** ((bucket - 0.5) / BUCKETS_PER_DOUBLING);

/** Times to fix, those before a return included. What was declared false or accepted was never fixed. */
const allRepairs = (finding: StatusFields): Repair[] => [...(finding.repairs ?? []), ...repairOf(finding)];

/** The time until a person first moved or took the finding. */
const acknowledgements = ({ firstSeenAt, acknowledgedAt }: StatusFields): Repair[] =>
  acknowledgedAt ? [{ at: acknowledgedAt, seconds: secondsBetween(firstSeenAt, acknowledgedAt) }] : [];

export const secondsOf = (time: string): number => Math.max(0, Math.floor(Date.parse(time) / 1000));

type Repairing = Pick<StatusFields, 'status'> & { remediationIds?: string[]; fixedByTaskId?: string };

/** Of each remediation of a finding: the findings, those that are fixed, and those of these that a scan proved gone. */
export const ofRemediations = ({ remediationIds = [], status, fixedByTaskId }: Repairing): Tally[] =>
  remediationIds.map((value) => ({
    facet: 'remediation',
    value,
    add: { n: 1, ...(status === 'fixed' && { f: 1, ...(fixedByTaskId && { s: 1 }) }) },
  }));
