import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksOfPage, runsOf } from '#shared/platform/table/blocks.ts';
import { runsIn } from '#shared/platform/table/io/dense.ts';
import { anyOf, bitsAt, blocksIn, both, countOf, newestOf, without } from '#shared/platform/table/layout/bits.ts';
import { shapeOf } from '#shared/platform/table/layout/positions.ts';
import { pageNumbers } from '#shared/platform/table/paging.ts';

/** Few neighbours and some far apart, so that groups, blocks and their ends are met. */
const ordinals = fc
  .array(fc.oneof(fc.nat(130), fc.constantFrom(119, 120, 4319, 4320, 8639, 8640), fc.nat(20_000)), { maxLength: 40 })
  .map((all) => [...new Set(all)]);
const newestFirst = (all: Iterable<number>): number[] => [...all].sort((a, b) => b - a);

test('combinations of bits equal combinations of the record sets', () => {
  fc.assert(
    fc.property(ordinals, ordinals, fc.nat(45), fc.integer({ min: 1, max: 45 }), (some, others, from, size) => {
      const [a, b] = [bitsAt(some), bitsAt(others)];
      const has = new Set(others);
      expect(newestOf(a)).toEqual(newestFirst(some));
      expect(newestOf(both(a, b))).toEqual(newestFirst(some.filter((one) => has.has(one))));
      expect(newestOf(anyOf([a, b, a]))).toEqual(newestFirst(new Set([...some, ...others])));
      expect(newestOf(without(a, b))).toEqual(newestFirst(some.filter((one) => !has.has(one))));
      expect(newestOf(a, { from, size })).toEqual(newestFirst(some).slice(from, from + size));
      expect(countOf(a)).toBe(some.length);
      const blocks = new Set(some.map((ordinal) => Math.floor(ordinal / 4320)));
      expect(blocksIn(a)).toEqual([...blocks].sort((one, two) => one - two));
      // of blocks in which nothing is left no rows are read
      for (const left of [both(a, b), without(a, b)])
        for (const words of left.values()) expect(words.some(Boolean)).toBe(true);
    }),
  );
});

test('range reads cover each record once, cross no partition, and leave wide gaps out', () => {
  fc.assert(
    fc.property(ordinals, fc.constantFrom(3, Number.POSITIVE_INFINITY), (all, sparse) => {
      const { runs, alone } = runsIn([...all, ...all], sparse);
      const covered = all.filter((one) => runs.some(({ from, to }) => from <= one && one <= to));
      expect([...covered, ...alone].sort((a, b) => a - b)).toEqual(all.toSorted((a, b) => a - b));
      for (const { from, to } of runs) expect(Math.floor(from / 4320)).toBe(Math.floor(to / 4320));
    }),
  );
  expect(runsIn([1, 4, 7, 10], 3)).toEqual({ runs: [{ from: 1, to: 10 }], alone: [] });
  expect(runsIn([1, 4, 7, 11], 3)).toEqual({ runs: [], alone: [1, 4, 7, 11] });
  expect(runsIn([1, 2, 3], 3)).toEqual({ runs: [], alone: [1, 2, 3] });
  const long = Array.from({ length: 504 }, (_, n) => n);
  expect(runsIn(long, 3).runs).toEqual([
    { from: 0, to: 499 },
    { from: 500, to: 503 },
  ]);
});

test('a page is looked for in the blocks that hold its records, and in no other', () => {
  const counts = [
    { block: 9, all: 4, matching: 0 },
    { block: 8, all: 4, matching: 3 },
    { block: 7, all: 4, matching: 2 },
    { block: 6, all: 4, matching: 4 },
  ];
  const page = (paginateFrom: number, paginateSize: number) => {
    const { wanted, skip } = blocksOfPage(counts, { paginateFrom, paginateSize });
    return [[...wanted], skip];
  };
  expect(page(0, 3)).toEqual([[8], 0]);
  expect(page(0, 4)).toEqual([[8, 7], 0]);
  expect(page(2, 1)).toEqual([[8], 2]);
  expect(page(3, 2)).toEqual([[7], 0]);
  expect(page(4, 2)).toEqual([[7, 6], 1]);
  expect(page(9, 5)).toEqual([[], 0]);
});

test('blocks with a small gap between them are one query, those with a large one are two', () => {
  const shape = shapeOf();
  const counts = (gap: number) => [
    { block: 9, all: 1, matching: 1 },
    ...Array.from({ length: gap }, (_, n) => ({ block: 8 - n, all: 4320, matching: 0 })),
    { block: 1, all: 1, matching: 1 },
    { block: 0, all: 1, matching: 1 },
  ];
  const wanted = new Set([9, 1, 0]);
  expect(runsOf(shape, counts(0), wanted)).toEqual([{ newest: 9, oldest: 0 }]);
  expect(runsOf(shape, counts(4), wanted)).toEqual([{ newest: 9, oldest: 0 }]);
  expect(runsOf(shape, counts(5), wanted)).toEqual([
    { newest: 9, oldest: 9 },
    { newest: 1, oldest: 0 },
  ]);
});

test('page numbers begin with one, and a last page that is not full counts', () => {
  const numbers = (paginateFrom: number, paginateSize: number, total: number) => {
    const { page, totalPages } = pageNumbers({ paginateFrom, paginateSize }, total);
    return [page, totalPages];
  };
  expect(numbers(0, 10, 0)).toEqual([1, 0]);
  expect(numbers(9, 10, 10)).toEqual([1, 1]);
  expect(numbers(10, 10, 11)).toEqual([2, 2]);
});
