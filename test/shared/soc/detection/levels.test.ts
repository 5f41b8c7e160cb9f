import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { all, counted, deliver, failed, organizationWith } from '../../../support/detection/delivery.ts';
import { useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';

const store = useStore();
afterEach(() => setClock());

const ORDERS = {
  gt: (one: number, other: number) => one > other,
  gte: (one: number, other: number) => one >= other,
  lt: (one: number, other: number) => one < other,
  lte: (one: number, other: number) => one <= other,
} as const;
type Order = keyof typeof ORDERS;

/** The smallest number that has so many of a hundred numbers at or below it. */
const percentileOf = (numbers: readonly number[], percentile: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.ceil((percentile / 100) * numbers.length) - 1] ?? Number.NaN;

const KINDS = [
  { type: 'value_avg', percentile: undefined },
  { type: 'value_median', percentile: undefined },
  { type: 'value_percentile', percentile: 5 },
  { type: 'value_percentile', percentile: 90 },
] as const;

const levelOf = (numbers: readonly number[], { type, percentile }: (typeof KINDS)[number]): number =>
  type === 'value_avg'
    ? numbers.reduce((one, other) => one + other, 0) / numbers.length
    : percentileOf(numbers, percentile ?? 50);

test('averages and percentiles over a span are those of all its numbers, negative ones and decimals too', async () => {
  const number = fc.integer({ min: -8, max: 8 }).map((n) => n / 4);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...KINDS),
      fc.constantFrom(...(Object.keys(ORDERS) as Order[])),
      number,
      fc.array(number, { minLength: 1, maxLength: 12 }),
      async (kind, order, bound, numbers) => {
        const { type, percentile } = kind;
        const more = percentile === undefined ? '' : `, percentile: ${percentile}`;
        const table = await organizationWith(store.dynamo, [counted(`{ field: n, ${order}: ${bound}${more} }`, type)]);
        const events = [...numbers, 'none', ''].map((n, at) => failed(at, { fields: { n, src_ip: '10.0.0.1' } }));
        for (const _ of [1, 2]) await deliver(table, 'a', events);
        const alerted = (await all(table)).reduce((total, { eventCount }) => total + eventCount, 0);
        expect(alerted > 0).toBe(numbers.some((_, n) => isMet(numbers.slice(0, n + 1))));
        if (isMet(numbers)) expect(alerted).toBe(numbers.length);

        /** Spans end with each part of two seconds; all events are within one minute. */
        function isMet(span: readonly number[]): boolean {
          const isEnd = span.length % 2 === 0 || span.length === numbers.length;
          return isEnd && ORDERS[order](levelOf(span, kind), bound);
        }
      },
    ),
    { numRuns: runs(25, 400), endOnFailure: true },
  );
});
