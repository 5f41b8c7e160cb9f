import { expect, test } from 'vitest';
import { inverted, MAX_RANK, rankTexts } from '#shared/platform/table/layout/ranks.ts';

test('the highest rank comes first in key order', () => {
  const ranks = [0, 1, 9, 10, 2 ** 32, MAX_RANK - 1, MAX_RANK];
  const texts = ranks.map(inverted);
  expect(texts.toSorted()).toEqual(texts.toReversed());
  expect(new Set(texts.map(({ length }) => length)).size).toBe(1);
});

test.each([2 ** 40, -1, 0.5, Number.NaN])('a rank of %s is refused: it would be in a wrong place', (rank) => {
  expect(() => inverted(rank)).toThrow('a rank is a whole number from 0 to 2^40 - 1');
});

test('a record without a rank has no row for it', () => {
  expect(rankTexts({ priority: 1, due: undefined, seen: 0 })).toEqual([
    `priority:${inverted(1)}`,
    `seen:${inverted(0)}`,
  ]);
});
