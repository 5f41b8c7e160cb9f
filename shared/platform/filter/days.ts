import { DAY_MS } from '../runtime/clock.ts';

/** The first and the last day; a side without an end is open. */
type Ends = { from?: string; to?: string };

type Around = { today: string; ahead?: boolean | undefined };

/** A time away from today: days, weeks, months or years. */
const AGE = /^(\d{1,4})([dwmy])$/;

export const isAge = (text: string): boolean => AGE.test(text);

/** The UTC days that a comparison of a day accepts, or the reason why its value is wrong. */
export function daysOf(operator: string, value: string, around: Around): Ends | string {
  if (operator === 'within') return within(value, around);
  if (operator === 'under' || operator === 'over') return awayFrom(operator, value, around);
  const period = periodOf(value);
  if (!period) return 'must be a day such as 2026-01-31, a month such as 2026-01 or a year';
  return operator === 'before' ? { to: nextDay(period.from, -1) } : { from: nextDay(period.to, 1) };
}

/** Ages compare the distance from today: of days to come those that are left, of other days those that are over. */
function awayFrom(operator: 'under' | 'over', value: string, around: Around): Ends | string {
  const away = dayAway(value, around);
  if (away === undefined) return 'must be an age such as 30d, 6w, 3m or 1y';
  const isEarlier = (operator === 'under') === Boolean(around.ahead);
  return isEarlier ? { to: nextDay(away, -1) } : { from: nextDay(away, 1) };
}

function within(value: string, around: Around): Ends | string {
  const away = dayAway(value, around);
  if (away !== undefined) return around.ahead ? { from: around.today, to: away } : { from: away, to: around.today };
  const [first = '', last, ...more] = value.split('..');
  const [begins, ends] = [first, last ?? first].map(periodOf);
  const isWrong = (text: string, period: Period | undefined) => text !== '' && !period;
  if (more.length > 0 || value === '..' || isWrong(first, begins) || isWrong(last ?? first, ends))
    return 'must be a day (2026-01-31), a month (2026-01), a year, a range (2026-01-01..2026-01-31) or an age (7d)';
  if (begins && ends && begins.from > ends.to) return `begins on ${begins.from}, after its end ${ends.to}`;
  return { ...(begins && { from: begins.from }), ...(ends && { to: ends.to }) };
}

type Period = { from: string; to: string };

/** The days of a day, a month or a year. */
function periodOf(text: string): Period | undefined {
  if (!/^\d{4}(?:-\d\d){0,2}$/.test(text)) return undefined;
  const from = text + '-01-01'.slice(text.length - 4);
  const start = new Date(`${from}T00:00:00Z`);
  if (Number.isNaN(start.getTime()) || start.toISOString().slice(0, 10) !== from) return undefined;
  const next = new Date(start);
  if (text.length === 4) next.setUTCFullYear(start.getUTCFullYear() + 1);
  else if (text.length === 7) next.setUTCMonth(start.getUTCMonth() + 1);
  else next.setUTCDate(start.getUTCDate() + 1);
  return { from, to: nextDay(next.toISOString().slice(0, 10), -1) };
}

/** The day that is so far from today: later for days to come, otherwise earlier. */
function dayAway(text: string, { today, ahead }: Around): string | undefined {
  const [, digits, unit] = AGE.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const count = (ahead ? 1 : -1) * Number(digits);
  const date = new Date(`${today}T00:00:00Z`);
  if (unit === 'y') date.setUTCFullYear(date.getUTCFullYear() + count);
  else if (unit === 'm') date.setUTCMonth(date.getUTCMonth() + count);
  else date.setUTCDate(date.getUTCDate() + count * (unit === 'w' ? 7 : 1));
  const year = date.getUTCFullYear();
  return year < 1 || year > 9999 ? undefined : date.toISOString().slice(0, 10);
}

/** The day so many days after another. */
export const nextDay = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
