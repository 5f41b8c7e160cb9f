import { expect, test } from 'vitest';
import { filesOfShare, SHARES, shareOfDay } from '#local/test-shares.ts';

const files = Array.from({ length: 137 }, (_, n) => `test/${n}.test.ts`);
const secondsOf = (file: string) => (file.length * Number.parseInt(file.slice(5), 10)) % 90;
const numbers = Array.from({ length: SHARES }, (_, n) => n + 1);
const shares = numbers.map((share) => filesOfShare(files, share, secondsOf));

test('each slow file is in one share, and the shares of as many days are all of them', () => {
  expect(shares.flat().toSorted()).toEqual(files.toSorted());
  const days = numbers.map((day) => shareOfDay(new Date(Date.UTC(2026, 10, 25 + day, 23, 59))));
  expect(days.toSorted((a, b) => a - b)).toEqual(numbers);
});

test('no share takes longer than another by more than its last file', () => {
  const seconds = shares.map((share) => share.reduce((sum, file) => sum + secondsOf(file), 0));
  expect(Math.max(...seconds) - Math.min(...seconds)).toBeLessThanOrEqual(Math.max(...files.map(secondsOf)));
});
