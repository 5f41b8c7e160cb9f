import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ordinalAt } from '#functions/workers/imports/reserved.ts';

const range = fc.oneof(
  fc.record({ size: fc.integer({ min: 1, max: 20_000 }), pairs: fc.constant(false) }),
  fc.record({ size: fc.integer({ min: 5, max: 8 }).map((n) => n * 4_000), pairs: fc.constant(true) }),
);

test('each place of a range has an ordinal of its own inside it, so that no finding overwrites another', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), range, (first, { size, pairs }) => {
      const ordinals = new Set(Array.from({ length: size }, (_, place) => ordinalAt({ first, size, pairs }, place)));
      expect([ordinals.size, Math.min(...ordinals), Math.max(...ordinals)]).toEqual([size, first, first + size - 1]);
    }),
  );
});

test('a large import takes turns between partitions of the table, a small one keeps the order of its report', () => {
  const at = (size: number, pairs: boolean) => (place: number) => ordinalAt({ first: 100, size, pairs }, place);
  expect([0, 1, 2, 3].map(at(16_000, false))).toEqual([100, 8100, 101, 8101]);
  expect([0, 1, 2, 3].map(at(4000, false))).toEqual([100, 101, 102, 103]);
  const places = [0, 1, 2, 3, 2000, 2001, 4000, 4001];
  expect(places.map(at(32_000, true))).toEqual([100, 8100, 101, 8101, 16_100, 24_100, 1100, 9100]);
});
