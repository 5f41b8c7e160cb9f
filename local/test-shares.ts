/**
 * The slow test files are more than one CI run has time for: each day has one of these shares, so that each file runs at
 * least once in as many days.
 */
export const SHARES = 10;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The share of a day of UTC, from 1. */
export const shareOfDay = (day: Date): number => (Math.floor(day.getTime() / DAY_MS) % SHARES) + 1;

/** The files of a share. Shares take about as long: the slowest file goes to the share that has the least so far. */
export function filesOfShare(files: readonly string[], share: number, secondsOf: (file: string) => number): string[] {
  const shares = Array.from({ length: SHARES }, () => ({ files: [] as string[], seconds: 0 }));
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1))) {
    const lightest = shares.reduce((least, one) => (one.seconds < least.seconds ? one : least));
    lightest.files.push(file);
    lightest.seconds += secondsOf(file);
  }
  return shares[share - 1]?.files ?? [];
}
