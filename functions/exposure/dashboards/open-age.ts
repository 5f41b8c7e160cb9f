import type { Counts, TallyCount } from '#shared/platform/table/counters.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { lastMonths } from './days.ts';
import type { Measure } from './mean-time-records.ts';
import { rounded, total, type Weighted } from './percentile.ts';
import { sum } from './summaries.ts';

/** Findings that are open for longer are known by their number and their average only. */
const MONTHS_BY_DAY = 13;
const HALF_DAY_SECONDS = 43_200;

export const firstSinceMonth = (at: number): string => lastMonths(at, MONTHS_BY_DAY)[0] ?? '';

/**
 * How long open findings are open. The mean is exact: the facets sum the seconds since which each finding is open. The
 * spread counts each day's findings at noon, and gives all older findings the rest of the sum. No finding may seem
 * older than the oldest one: the spread counts findings of the first day at its end, or earlier where the sum proves
 * it.
 */
export function openAge(facets: Counts, since: readonly TallyCount[], at: number): Measure | null {
  const count = sum(Severity.options.map((severity) => facets[`open:${severity}`] ?? 0));
  if (count === 0) return null;
  const now = Math.floor(at / 1000);
  const sinceSum = sum(Severity.options.map((severity) => facets[`since:${severity}`] ?? 0));
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
