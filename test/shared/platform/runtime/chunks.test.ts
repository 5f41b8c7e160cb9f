import { expect, test } from 'vitest';
import { chunksOf, eachAtOnce } from '#shared/platform/runtime/chunks.ts';

test('chunks keep the order and lose nothing', () => {
  expect(chunksOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(chunksOf([], 2)).toEqual([]);
});

test('work on many items never loads the table with more than the limit at once', async () => {
  let [running, most] = [0, 0];
  const work = async (n: number) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running -= 1;
    return n * n;
  };
  expect(await eachAtOnce([1, 2, 3, 4, 5], 2, work)).toEqual([1, 4, 9, 16, 25]);
  expect(most).toBe(2);
});
