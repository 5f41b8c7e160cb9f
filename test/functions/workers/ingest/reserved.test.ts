import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ordinalAt } from '#functions/workers/ingest/reserved.ts';

test('each place of a range has an ordinal of its own inside it, so that no finding overwrites another', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 20_000 }), (first, size) => {
      const ordinals = new Set(Array.from({ length: size }, (_, place) => ordinalAt({ first, size }, place)));
      expect([ordinals.size, Math.min(...ordinals), Math.max(...ordinals)]).toEqual([size, first, first + size - 1]);
    }),
  );
});

test('a large import takes turns between two partitions of the table, a small one keeps the order of its report', () => {
  const places = [0, 1, 2, 3];
  expect(places.map((place) => ordinalAt({ first: 100, size: 16_000 }, place))).toEqual([100, 8100, 101, 8101]);
  expect(places.map((place) => ordinalAt({ first: 100, size: 4000 }, place))).toEqual([100, 101, 102, 103]);
});
