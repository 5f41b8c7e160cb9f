import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { TallyCount } from '#shared/platform/table/counters.ts';
import type { Counted } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { monthOf, monthRow } from '#shared/reports/report/time-measures.ts';
import { dayRange, dayReader, lastDays, lastMonths } from './days.ts';
import type { FourMeasures, MeanTimeMetrics } from './mean-time-records.ts';
import { firstSinceMonth, openAge } from './open-age.ts';
import { perValue } from './per-value.ts';
import { measureOf } from './percentile.ts';
import { sum } from './summaries.ts';

/** Months of the period, the current one included: with rows per month, any other period would read more. */
const PERIOD_MONTHS = 3;
const CHANGES = { d7: 7, d30: 30, d90: 90 } as const;
/** `change.d90` compares the last 90 days with the 90 days before. */
const DAYS_READ = 180;

/** The times that are measured of a kind of record beside those to acknowledge and to remediate. */
type Measured = 'detect' | 'contain';

/** Five reads beside each other, and one more for each of `also`. */
export async function meanTimesOf(
  table: Table,
  entity: Counted,
  also: readonly Measured[] = [],
): Promise<MeanTimeMetrics> {
  const at = nowMs();
  const to = new Date(at).toISOString();
  const months = lastMonths(at, PERIOD_MONTHS);
  const [first = ''] = months;
  const histograms = { from: first, to: `${monthOf(to)}~` };
  const read = (facet: Measured) => (also.includes(facet) ? table.tallies(entity, facet, histograms) : []);
  const [facets, days, repairs, acknowledgements, detections, containments, since] = await Promise.all([
    table.facets(entity),
    table.tallies(entity, 'day', dayRange(at, DAYS_READ)),
    table.tallies(entity, 'repair', histograms),
    table.tallies(entity, 'acknowledge', histograms),
    read('detect'),
    read('contain'),
    table.tallies(entity, 'since', { from: firstSinceMonth(at), to: monthOf(to) }),
  ]);
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
    openAge: openAge(facets, since, at),
    ...repairTrend(days, at, from),
  };
}

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
