const DAY_MS = 86_400_000;
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const bytes = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'].map(
  (unit, step) =>
    new Intl.NumberFormat('en', {
      style: 'unit',
      unit,
      unitDisplay: step === 0 ? 'long' : 'short',
      maximumFractionDigits: 1,
    }),
);
const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** In the zone of the person. */
export const dayOf = (time: string): string => day.format(new Date(time));
export const clockOf = (at: number): string => clock.format(at);
export const timeOf = (time: string): string => moment.format(new Date(time));
/** For example `107.4 GB`. */
export function bytesOf(amount: number): string {
  const step = Math.min(bytes.length - 1, Math.floor(Math.log10(Math.max(1, amount)) / 3));
  return bytes[step]?.format(amount / 1_000 ** step) ?? '';
}
export const percentOf = (part: number): string => percent.format(part);

const STEPS = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** For example `3 days ago`; days beyond a month are dates. */
export function agoOf(time: string, now = Date.now()): string {
  const passed = Date.parse(time) - now;
  if (Math.abs(passed) > 30 * DAY_MS) return dayOf(time);
  const [unit, ms] = STEPS.find(([, one]) => Math.abs(passed) >= one) ?? (['second', 60_000] as const);
  return relative.format(Math.trunc(passed / ms), unit);
}

/** A day of UTC, `2026-11-28`, that is some days from now. */
export const utcDay = (days: number, now = Date.now()): string =>
  new Date(now + days * DAY_MS).toISOString().slice(0, 10);

/** The interface counts due days in UTC: overdue from the day after. */
export const isOverdue = (dueAt: string, now = Date.now()): boolean => dueAt.slice(0, 10) < utcDay(0, now);
