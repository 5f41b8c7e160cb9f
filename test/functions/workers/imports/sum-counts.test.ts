import { expect, test } from 'vitest';
import { lanesOf } from '#functions/workers/imports/lanes.ts';
import type { Read } from '#functions/workers/imports/phases.ts';
import { NOTHING_COUNTED, sumCounts } from '#functions/workers/imports/sum-counts.ts';

const one = {
  counts: { created: 1, updated: 2, unchanged: 3, closed: 4, reopened: 5 },
  severities: { 'created:high': 1, 'closed:low': 4 },
  openBefore: 6,
};

test('the sum of two halves of a report has each kind of change of both', () => {
  const other = {
    counts: { created: 10, updated: 20, unchanged: 30, closed: 40, reopened: 50 },
    severities: { 'created:high': 10, 'reopened:low': 50 },
    openBefore: 60,
  };
  expect(sumCounts(one, other)).toEqual({
    counts: { created: 11, updated: 22, unchanged: 33, closed: 44, reopened: 55 },
    severities: { 'created:high': 11, 'closed:low': 4, 'reopened:low': 50 },
    openBefore: 66,
  });
  expect(sumCounts(one)).toEqual(one);
  expect(one.severities).toEqual({ 'created:high': 1, 'closed:low': 4 });
});

const atWork = (chunk: number, line: number, lane?: { chunk: number; line: number }) =>
  ({
    progress: { checkpoint: { ...one, chunk, line }, lane: lane && { ...NOTHING_COUNTED, ...lane, openBefore: 7 } },
  }) as never;

const lanes = (read: Read, lines: number) =>
  lanesOf(read, lines).map(({ line, to, counted: { openBefore } }) => ({ line, to, openBefore }));

test('a chunk of 200 lines is written in two halves, and a smaller one in one', () => {
  expect(lanes(atWork(2, 0), 199)).toEqual([{ line: 0, to: 199, openBefore: 6 }]);
  expect(lanes(atWork(2, 0), 201)).toEqual([
    { line: 0, to: 101, openBefore: 6 },
    { line: 101, to: 201, openBefore: 0 },
  ]);
});

test('each half goes on where it was, but for the second half of another chunk', () => {
  expect(lanes(atWork(2, 40, { chunk: 2, line: 150 }), 200)).toEqual([
    { line: 40, to: 100, openBefore: 6 },
    { line: 150, to: 200, openBefore: 7 },
  ]);
  expect(lanes(atWork(3, 40, { chunk: 2, line: 150 }), 200)).toMatchObject([{}, { line: 100, openBefore: 0 }]);
});
