import { nowMs } from '#shared/platform/runtime/clock.ts';
import { perValue } from '#shared/platform/runtime/per-value.ts';
import { readTallies, type TallyCount } from '#shared/platform/table/counters.ts';
import type { Counted } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { addGroups, sinceRows, spanRows } from '#shared/reports/report/group-measures.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { monthOf, monthRow } from '#shared/reports/report/time-measures.ts';
import { dayRange, dayReader, lastDays, lastMonths } from './days.ts';
import type { FourMeasures, MeanTimes, Measure } from './mean-time-records.ts';
import { measureOf, rounded, sum, total, type Weighted } from './percentile.ts';

/** Months of the period, the current one included: with rows per month, any other period would read more. */
const PERIOD_MONTHS = 3;
const CHANGES = { d7: 7, d30: 30, d90: 90 } as const;
/** `change.d90` compares the last 90 days with the 90 days before. */
const DAYS_READ = 180;

/** The times that are measured of a kind of record beside those to acknowledge and to remediate. */
type Measured = 'detect' | 'contain';

/** @param groups the marks of groups that share no record; undefined: all records */
export async function meanTimesOf(
  table: Table,
  entity: Counted,
  { also = [], groups }: { also?: readonly Measured[]; groups?: readonly string[] | undefined } = {},
): Promise<MeanTimes> {
  const at = nowMs();
  const to = new Date(at).toISOString();
  const months = lastMonths(at, PERIOD_MONTHS);
  const [first = ''] = months;
  const { open, days, repairs, acknowledgements, detections, containments, since } = await (groups
    ? countedInGroups(table, entity, { groups, at })
    : countedInAll(table, entity, { also, at }));
  const from = `${first}-01T00:00:00.000Z`;
  const fourOf = (severities: readonly Severity[]): FourMeasures => ({
    timeToDetect: measureOf(rowsOf(detections, { months, severities })),
    timeToAcknowledge: measureOf(rowsOf(acknowledgements, { months, severities })),
    timeToContain: measureOf(rowsOf(containments, { months, severities })),
    timeToRemediate: measureOf(rowsOf(repairs, { months, severities })),
  });
  return {
    period: { from, to },
    ...fourOf(Severity.options),
    bySeverity: perValue(Severity.options, (severity) => fourOf([severity])),
    openAge: openAge(open, since, at),
    ...repairTrend(days, at, from),
  };
}

/** Five reads beside each other, and one more for each of `also`. */
async function countedInAll(
  table: Table,
  entity: Counted,
  { also, at }: { also: readonly Measured[]; at: number },
): Promise<Read> {
  const [first = '', month = ''] = [lastMonths(at, PERIOD_MONTHS)[0], lastMonths(at, 1)[0]];
  const histograms = { from: first, to: `${month}~` };
  const read = (facet: Measured) => (also.includes(facet) ? table.tallies(entity, facet, histograms) : []);
  const [facets, days, repairs, acknowledgements, detections, containments, since] = await Promise.all([
    table.facets(entity),
    table.tallies(entity, 'day', dayRange(at, DAYS_READ)),
    table.tallies(entity, 'repair', histograms),
    table.tallies(entity, 'acknowledge', histograms),
    read('detect'),
    read('contain'),
    table.tallies(entity, 'since', { from: firstSinceMonth(at), to: month }),
  ]);
  const inAll = (facet: string) => sum(Severity.options.map((severity) => facets[`${facet}:${severity}`] ?? 0));
  const open = { count: inAll('open'), since: inAll('since') };
  return { open, days, repairs, acknowledgements, detections, containments, since };
}

/** Two reads of each group beside each other. */
async function countedInGroups(
  { dynamo, tenant }: Table,
  entity: Counted,
  { groups, at }: { groups: readonly string[]; at: number },
): Promise<Read> {
  const month = lastMonths(at, 1)[0] ?? '';
  const spans = spanRows({ from: monthOf(dayRange(at, DAYS_READ).from), to: month });
  const read = (group: string) =>
    [spans, sinceRows].map((range) => readTallies({ dynamo, tenant, entity }, group, range));
  const { open, of } = addGroups((await Promise.all(groups.flatMap(read))).flat());
  const first = firstSinceMonth(at);
  return {
    open,
    days: of('day'),
    repairs: of('repair'),
    acknowledgements: of('acknowledge'),
    detections: of('detect'),
    containments: of('contain'),
    since: of('since').filter(({ value }) => value !== null && first <= value && value <= month),
  };
}

type Open = {
  count: number;
  /** The sum of the seconds since the epoch from which records are open. */
  since: number;
};

/** The counters of which mean times consist. */
type Read = Record<
  'days' | 'repairs' | 'acknowledgements' | 'detections' | 'containments' | 'since',
  readonly TallyCount[]
> & { open: Open };

type Selection = { months: readonly string[]; severities: readonly Severity[] };

function rowsOf(tallies: readonly TallyCount[], { months, severities }: Selection) {
  const wanted = new Set(months.flatMap((month) => severities.map((severity) => monthRow(month, severity))));
  return tallies.filter(({ value }) => value !== null && wanted.has(value)).map(({ counts }) => counts);
}

function repairTrend(rows: readonly TallyCount[], at: number, from: string) {
  const count = dayReader(rows);
  const days = lastDays(at, DAYS_READ);
  const meanOf = (some: readonly string[]): number | null => {
    const repairs = sum(some.map((day) => count('f', day)));
    return repairs === 0 ? null : sum(some.map((day) => count('F', day))) / repairs;
  };
  const changeOf = (n: number) => change(meanOf(days.slice(-2 * n, -n)), meanOf(days.slice(-n)));
  const trend = days
    .filter((day) => day >= from.slice(0, 10))
    .map((date) => ({ date, meanSeconds: roundedOrNull(meanOf([date])), count: count('f', date) }));
  return { trend, change: { d7: changeOf(CHANGES.d7), d30: changeOf(CHANGES.d30), d90: changeOf(CHANGES.d90) } };
}

const roundedOrNull = (value: number | null): number | null => (value === null ? null : Math.round(value));

/** The change as a fraction of the earlier time; null when either is missing or the earlier one is 0. */
const change = (before: number | null, after: number | null): number | null =>
  before === null || after === null || before === 0 ? null : Math.round((after / before - 1) * 10_000) / 10_000;

/** Findings that are open for longer are known by their number and their average only. */
const MONTHS_BY_DAY = 13;
const HALF_DAY_SECONDS = 43_200;

const firstSinceMonth = (at: number): string => lastMonths(at, MONTHS_BY_DAY)[0] ?? '';

/**
 * How long open findings are open. The mean is exact: the facets sum the seconds since which each finding is open. The
 * spread counts each day's findings at noon, and gives all older findings the rest of the sum. No finding may seem
 * older than the oldest one: the spread counts findings of the first day at its end, or earlier where the sum proves
 * it.
 */
function openAge({ count, since: sinceSum }: Open, since: readonly TallyCount[], at: number): Measure | null {
  if (count === 0) return null;
  const now = Math.floor(at / 1000);
  const days = since.flatMap(({ value, counts }) =>
    Object.entries(counts).map(([day, n]) => ({ day: `${value}-${day}`, n })),
  );
  const known = days
    .filter(({ n }) => n > 0)
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
    .map(({ day, n }) => ageOf(now, day, n));
  const older = count - total(known);
  const ages = count * now - sinceSum;
  const rest = ages - sum(known.map(({ seconds, count }) => seconds * count));
  const spread = older > 0 ? [...known, { seconds: Math.max(0, rest / older), count: older }] : notOlder(known, ages);
  return rounded({ mean: Math.max(0, ages / count), spread, count });
}

/** Puts the findings of the first day at the least time that the oldest of them is open for certain. */
function notOlder([first, ...others]: Weighted[], ages: number): Weighted[] {
  if (!first) return [];
  const most = sum(others.map(({ seconds, count }) => (seconds + HALF_DAY_SECONDS) * count));
  const seconds = Math.max(0, first.seconds - HALF_DAY_SECONDS, (ages - most) / first.count);
  return [{ ...first, seconds }, ...others];
}

function ageOf(now: number, day: string, count: number): Weighted {
  const noon = Date.parse(`${day}T00:00:00Z`) / 1000 + HALF_DAY_SECONDS;
  return { seconds: Math.max(0, now - noon), count };
}
