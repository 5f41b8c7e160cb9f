import type { TallyCount } from '#shared/platform/table/counters.ts';
import type { Tally } from '#shared/platform/table/entity.ts';
import type { Severity } from './report.ts';

/** The end of something, and how long it took. */
export type Span = { at: string; seconds: number };

/**
 * The life of a record that is open until somebody ends it. Its mean times come from these counters (all days are UTC;
 * rows hold several days or many buckets, because reads are paid by the byte and each row costs about 45 bytes more):
 *
 * - `day`, a row for ten days (`2026-11-2`): per day (its last digit) `o` opened, `r` returned, `f` ended, `F` the
 *   seconds that took, and `c` the records whose last end was then;
 * - a histogram for each kind of span, a row per month and severity (`2026-11c`): how many took about this long
 *   (`bucketOf`), and `S`, the exact sum of their seconds;
 * - `since`, a row per month: how many of the open records have been open since each day of the month.
 */
export type Life = {
  severity: Severity;
  openedAt: string;
  reopenedAt?: string | undefined;
  /** The time since which it is open; undefined for a record that is not open. */
  openSince?: string | undefined;
  /** The end of a record that did not return after it. */
  endedAt?: string | undefined;
  spans: Partial<Record<SpanKind, readonly Span[]>>;
};

/** `repair`: from its beginning, or its last return, to its end; an end before a return counts too. */
type SpanKind = 'repair' | 'acknowledge' | 'detect' | 'contain';

export const lifeTallies = (life: Life): Tally[] => [
  ...dayCounters(life),
  ...Object.entries(life.spans).flatMap(([kind, all]) => all.map((one) => bucketTally(kind, life.severity, one))),
  ...(life.openSince ? [dayTally('since', life.openSince)] : []),
];

/** `since:<severity>` sums the seconds since the epoch from which records are open: their mean age at any moment. */
export const openFacets = ({ severity, openSince }: Pick<Life, 'severity' | 'openSince'>): Record<string, number> =>
  openSince ? { [`open:${severity}`]: 1, [`since:${severity}`]: secondsOf(openSince) } : {};

/** The time between two moments as a span that ended with the second; none before it has ended. */
export const spanOf = (from: string, at: string | null | undefined): Span[] =>
  at ? [{ at, seconds: Math.max(0, Math.round((Date.parse(at) - Date.parse(from)) / 1000)) }] : [];

function dayCounters({ openedAt, reopenedAt, endedAt, spans }: Life): Tally[] {
  const { add, tallies } = byTenDays('day');
  add(openedAt, { o: 1 });
  if (reopenedAt) add(reopenedAt, { r: 1 });
  if (endedAt) add(endedAt, { c: 1 });
  for (const { at, seconds } of spans.repair ?? []) add(at, { f: 1, F: seconds });
  return tallies();
}

/** The sum of a counter of this day and later, in rows of `byTenDays`. */
export const sumSince = (rows: readonly TallyCount[], counter: string, day: string): number =>
  rows
    .flatMap(({ value, counts }) =>
      Object.entries(counts).map(([name, n]) => (name[0] === counter && `${value}${name.slice(1)}` >= day ? n : 0)),
    )
    .reduce((total, n) => total + n, 0);

/** `S` of a histogram row; no bucket has this name, buckets are in lower case. */
export const SUM = 'S';

export const dayOf = (time: string): string => time.slice(0, 10);
export const dayIf = (time: string | undefined): string | undefined => time && dayOf(time);
export const monthOf = (time: string): string => time.slice(0, 7);
/** The row of `day` that a day is in, and the end of its counters' names there. */
export const tenDaysOf = (day: string): { row: string; digit: string } => ({
  row: day.slice(0, 9),
  digit: day.slice(9),
});
/** The value of a histogram row. */
export const monthRow = (month: string, severity: Severity): string => `${month}${severity.slice(0, 1)}`;

/** Counters of days in rows of ten days each. */
export function byTenDays(facet: string) {
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

/** Sorts behind every month, also behind that of the last possible date (`9999-12`). */
export const FOREVER = '9999~';

/** The records of this day and later, of the rows of `dayTally` from its month on. */
export const countFrom = (months: readonly TallyCount[], day: string): number =>
  months
    .flatMap(({ value, counts }) => Object.entries(counts).map(([n, amount]) => (`${value}-${n}` >= day ? amount : 0)))
    .reduce((total, amount) => total + amount, 0);

/** A row per day with a counter per hour (UTC). */
export const hourTally = (facet: string, time: string): Tally => ({
  facet,
  value: dayOf(time),
  add: { [time.slice(11, 13)]: 1 },
});

const bucketTally = (facet: string, severity: Severity, { at, seconds }: Span): Tally => ({
  facet,
  value: monthRow(monthOf(at), severity),
  add: { [bucketOf(seconds).toString(36)]: 1, [SUM]: seconds },
});

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

const secondsOf = (time: string): number => Math.max(0, Math.floor(Date.parse(time) / 1000));
