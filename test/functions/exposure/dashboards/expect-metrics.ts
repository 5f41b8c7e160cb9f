import { expect } from 'vitest';
import { now, nowMs } from '#shared/platform/runtime/clock.ts';
import type { MeanTimeMetrics, Measure } from '#shared/reporting/figures/mean-time-records.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { mean, measureOf, type Repair, recountChange } from './recount.ts';

/** The spans of all records, and the ages in seconds of those that are open. */
type Recounted = Record<'repairs' | 'acknowledgements' | 'detections' | 'containments', Repair[]> & {
  openAges: number[];
};

/** Compares mean times with those of a recount. */
export function expectMetrics(metrics: MeanTimeMetrics, recounted: Recounted): void {
  const { repairs, acknowledgements, detections, containments } = recounted;
  const { from, to } = metrics.period;
  expect(to).toBe(now());
  const inPeriod = ({ at }: { at: string }) => at >= from;
  for (const severity of [undefined, ...Severity.options]) {
    const four = severity ? metrics.bySeverity[severity] : metrics;
    const fits = (one: Repair) => inPeriod(one) && (!severity || one.severity === severity);
    expectMeasure(four.timeToRemediate, repairs.filter(fits));
    expectMeasure(four.timeToAcknowledge, acknowledgements.filter(fits));
    expectMeasure(four.timeToDetect, detections.filter(fits));
    expectMeasure(four.timeToContain, containments.filter(fits));
  }
  expectTrend(metrics.trend, repairs.filter(inPeriod));
  for (const [name, days] of [['d7', 7] as const, ['d30', 30] as const, ['d90', 90] as const]) {
    const expected = recountChange(repairs, nowMs(), days);
    if (expected === null) expect(metrics.change[name]).toBeNull();
    else expect(metrics.change[name]).toBeCloseTo(expected, 3);
  }
  expectOpenAge(metrics.openAge, recounted.openAges);
}

function expectMeasure(measure: Measure | null, measured: { seconds: number }[]): void {
  const expected = measureOf(measured.map(({ seconds }) => seconds));
  if (!expected) {
    expect(measure).toBeNull();
    return;
  }
  expect([measure?.count, measure?.meanSeconds]).toEqual([expected.count, Math.round(expected.mean)]);
  expectNear(measure?.medianSeconds, expected.median);
  expectNear(measure?.p90Seconds, expected.p90);
}

/** The bound that the API reference promises, and a second for rounding. */
const expectNear = (value: number | undefined, expected: number) =>
  expect(Math.abs((value ?? -1) - expected)).toBeLessThanOrEqual(expected < 60 ? 31 : expected * 0.091 + 1);

function expectTrend(
  trend: { date: string; meanSeconds: number | null; count: number }[],
  repairs: { at: string; seconds: number }[],
) {
  expect(trend.map(({ date }) => date)).toEqual(trend.map(({ date }) => date).toSorted());
  for (const { date, meanSeconds, count } of trend) {
    const those = repairs.filter(({ at }) => at.startsWith(date)).map(({ seconds }) => seconds);
    expect([count, meanSeconds]).toEqual([those.length, those.length === 0 ? null : Math.round(mean(those))]);
  }
  expect(trend.reduce((sum, { count }) => sum + count, 0)).toBe(repairs.length);
}

function expectOpenAge(measure: Measure | null, ages: number[]): void {
  const expected = measureOf(ages);
  if (!expected) {
    expect(measure).toBeNull();
    return;
  }
  expect([measure?.count, measure?.meanSeconds]).toEqual([expected.count, Math.round(expected.mean)]);
  if (ages.some((age) => age > 365 * 86_400)) return;
  for (const [value, exact] of [
    [measure?.medianSeconds, expected.median] as const,
    [measure?.p90Seconds, expected.p90] as const,
  ]) {
    const difference = (value ?? -1) - exact;
    expect(difference).toBeLessThanOrEqual(43_200);
    // of the first day only its end is certain
    expect(difference).toBeGreaterThanOrEqual(-86_400);
    expect(value).toBeLessThanOrEqual(Math.ceil(Math.max(...ages)));
  }
}
