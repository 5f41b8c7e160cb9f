import { computed } from '@preact/signals';
import { deviceZone, zone } from '../zone.ts';

const DAY_MS = 86_400_000;
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
const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const seconds = { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false } as const;

/** A format in the zone of the person. */
const inZone = (options: Intl.DateTimeFormatOptions) => {
  const format = computed(() => new Intl.DateTimeFormat('en', { ...options, timeZone: zone.value }));
  return (at: string | number): string => format.value.format(new Date(at));
};
const dayInZone = inZone(day);
const moment = inZone({ ...day, hour: 'numeric', minute: '2-digit' });
const zonedMoment = inZone({ ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' });

export const clockOf = inZone(seconds);
export const minuteOf = inZone({ hour: 'numeric', minute: '2-digit' });
export const shortDayOf = inZone({ month: 'short', day: 'numeric' });
export const exactOf = inZone({ day: 'numeric', month: 'short', ...seconds, fractionalSecondDigits: 3 });

const utcDays = new Intl.DateTimeFormat('en', { ...day, timeZone: 'UTC' });
/** A day that the interface counts in UTC, such as a due day. */
export const utcDayOf = (time: string): string => utcDays.format(new Date(time));

/** The day of a time. A day without a time is the same in each zone. */
export const dayOf = (time: string): string => (time.length === 10 ? utcDayOf(time) : dayInZone(time));

/** A zone other than that of the device is named: nobody expects it. */
export const timeOf = (time: string): string => (zone.value === deviceZone ? moment : zonedMoment)(time);
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

/** The interface counts due days in UTC: overdue from the day after. */
export const isOverdue = (dueAt: string, now = new Date()): boolean =>
  dueAt.slice(0, 10) < now.toISOString().slice(0, 10);
