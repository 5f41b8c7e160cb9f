import { Severity } from '#shared/reports/report.ts';
import type { Counts, TallyCount } from '#shared/table/counters.ts';
import { lastMonths } from './days.ts';
import type { Measure } from './mean-time-records.ts';
import { rounded, total, type Weighted } from './percentile.ts';
import { sum } from './summaries.ts';

/** Findings that are open for longer are known by their number and their average only. */
const MONTHS_BY_DAY = 13;
const HALF_DAY_SECONDS = 43_200;

export const firstSinceMonth = (at: number): string => lastMonths(at, MONTHS_BY_DAY)[0] ?? '';

/**
 * How long open findings are open. The mean is exact: the facets sum the seconds from which each is open. The spread
 * takes each day's findings at noon, and puts all older ones at what is left of the sum.
 */
export function openAge(facets: Counts, since: readonly TallyCount[], at: number): Measure | null {
  const count = sum(Severity.options.map((severity) => facets[`open:${severity}`] ?? 0));
  if (count === 0) return null;
  const now = Math.floor(at / 1000);
  const sinceSum = sum(Severity.options.map((severity) => facets[`since:${severity}`] ?? 0));
  const byDay = since.flatMap(({ value, counts }) =>
    Object.entries(counts).map(([day, n]) => ageOf(now, `${value}-${day}`, n)),
  );
  const known = byDay.filter((one) => one.count > 0);
  const older = count - total(known);
  const ages = count * now - sinceSum;
  const rest = ages - sum(known.map(({ seconds, count }) => seconds * count));
  const spread = older > 0 ? [...known, { seconds: Math.max(0, rest / older), count: older }] : known;
  return rounded({ mean: Math.max(0, ages / count), spread, count });
}

function ageOf(now: number, day: string, count: number): Weighted {
  const noon = Date.parse(`${day}T00:00:00Z`) / 1000 + HALF_DAY_SECONDS;
  return { seconds: Math.max(0, now - noon), count };
}
