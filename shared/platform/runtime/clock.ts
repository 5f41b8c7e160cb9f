/** The only place that reads the wall clock. Tests move it with `setClock`. */
let read: () => number = Date.now;

export const DAY_MS = 86_400_000;

/** Milliseconds since the epoch. */
export const nowMs = (): number => read();

/** RFC 3339 in UTC with milliseconds: the only format of times in the table and in answers. */
export const now = (): string => new Date(read()).toISOString();

let today = { number: Number.NaN, text: '' };

/** The present day in UTC, such as 2026-01-31. */
export function currentDay(): string {
  const number = Math.floor(read() / DAY_MS);
  if (number !== today.number) today = { number, text: new Date(number * DAY_MS).toISOString().slice(0, 10) };
  return today.text;
}

/** RFC 3339 UTC time `seconds` from now (negative: ago). */
export const inSeconds = (seconds: number): string => new Date(read() + seconds * 1000).toISOString();

/** The day before a day such as 2026-01-31. */
export const dayBefore = (day: string): string => new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);

/** RFC 3339 UTC time `seconds` after another time. */
export const secondsAfter = (time: string, seconds: number): string =>
  new Date(Date.parse(time) + seconds * 1000).toISOString();

/** Seconds since the epoch, as DynamoDB's TTL needs them. */
export const epochSeconds = (time: string): number => Math.floor(Date.parse(time) / 1000);

/** A text that sorts later days first. */
export const latestDayFirst = (time: string): string =>
  String(100_000 - Math.floor(Date.parse(time) / DAY_MS)).padStart(6, '0');

/** Milliseconds that pass in this process, independent of the wall clock: for time limits and measured durations. */
export const elapsedMs = (): number => performance.now();

/** Replaces the clock, for tests that must not wait. Without an argument the real clock returns. */
export function setClock(clock: () => number = Date.now): void {
  read = clock;
}
