/** Seconds since the epoch are below this number, milliseconds below its thousandfold, and so on to nanoseconds. */
const MOST_SECONDS = 1e11;

/** A time as events write it, in milliseconds: RFC 3339 and near to it, or a number since the epoch in any usual unit. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string' || value.length > 64) return undefined;
  const text = value.trim();
  if (/^\d{9,19}(\.\d{1,9})?$/.test(text)) return fromEpoch(Number(text));
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text)) return undefined;
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/i.test(text);
  const time = Date.parse(hasZone ? text.replace(' ', 'T') : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function fromEpoch(value: number): number | undefined {
  if (!Number.isFinite(value) || value <= 0) return undefined;
  let milliseconds = value * 1000;
  while (milliseconds >= MOST_SECONDS * 1000) milliseconds /= 1000;
  return Math.round(milliseconds);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY_MS = 86_400_000;

type MonthDay = { month: string; day: string; time: string };

/**
 * A time without a year and zone (RFC 3164, section 4.1.2): taken as UTC, of the latest year in which it is not more than a day
 * behind the receipt.
 */
export function timeWithoutYear({ month, day, time }: MonthDay, receivedAt: number): number | undefined {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  const number = MONTHS.indexOf(month);
  if (number < 0) return undefined;
  const year = new Date(receivedAt).getUTCFullYear();
  const inYear = (one: number) => Date.UTC(one, number, Number(day), hours, minutes, seconds);
  return [year + 1, year, year - 1].map(inYear).find((at) => at <= receivedAt + DAY_MS);
}
