import { DAY_MS } from '#shared/platform/runtime/clock.ts';
import type { TallyCount } from '#shared/platform/table/counters.ts';
import { dayOf, monthOf, tenDaysOf } from '#shared/reports/report/time-measures.ts';

/** The day (`2026-11-21`, UTC) that is `days` before the day of `nowMs`. */
export const daysAgo = (nowMs: number, days: number): string => dayOf(new Date(nowMs - days * DAY_MS).toISOString());

const HOUR_MS = 3_600_000;

/** The hour (`2026-11-21T07`, UTC) that is `hours` before the hour of `nowMs`. */
export const hourBefore = (nowMs: number, hours: number): string =>
  new Date(nowMs - hours * HOUR_MS).toISOString().slice(0, 13);

/** The counts of a facet by the hour (`hourTally`) from this hour on. */
export const countedSince = (days: readonly TallyCount[], hour: string): number =>
  days
    .flatMap(({ value, counts }) => Object.entries(counts).map(([name, n]) => (`${value}T${name}` >= hour ? n : 0)))
    .reduce((sum, n) => sum + n, 0);

/** The `n` days up to the one of `nowMs`, oldest first. */
export const lastDays = (nowMs: number, n: number): string[] =>
  Array.from({ length: n }, (_, i) => daysAgo(nowMs, n - 1 - i));

/** The `n` months (`2026-11`) up to the one of `at`, oldest first. */
export function lastMonths(at: number, n: number): string[] {
  const now = new Date(at);
  return Array.from({ length: n }, (_, i) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (n - 1 - i), 1));
    return monthOf(month.toISOString());
  });
}

/** Looks a counter of a day up in the rows of the facet `day`; nothing counted is 0. */
export function dayReader(rows: readonly TallyCount[]): (name: 'o' | 'r' | 'f' | 'F' | 'c', day: string) => number {
  const byRow = new Map(rows.map(({ value, counts }) => [value, counts]));
  return (name, day) => {
    const { row, digit } = tenDaysOf(day);
    return byRow.get(row)?.[`${name}${digit}`] ?? 0;
  };
}

/** The rows of `day` that the `n` days up to the one of `nowMs` are in. */
export const dayRange = (nowMs: number, n: number) => ({
  from: tenDaysOf(daysAgo(nowMs, n - 1)).row,
  to: tenDaysOf(daysAgo(nowMs, 0)).row,
});
