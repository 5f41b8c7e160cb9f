/**
 * The time that an event reports, in milliseconds since the epoch. `unusable`: the event's time is unreadable or
 * outside of the batch's range. undefined: the event has none.
 */
export type ReportedTime = number | 'unusable' | undefined;

/**
 * The times that the events of a batch may have, in milliseconds: from the oldest that is kept to shortly after the receipt. `momentOf`:
 * of a time without a zone, given as if it were UTC.
 */
export type TimeWindow = { oldest: number; received: number; momentOf?: ((wall: number) => number) | undefined };

/** A clock that is more ahead than this is wrong: the event would be the newest for hours. */
const MAX_AHEAD_MS = 300_000;

/** The first of some values that is a time within the window. */
export function reportedTime(values: readonly unknown[], window: TimeWindow): ReportedTime {
  const { oldest, received } = window;
  const given = values.filter((value) => value !== undefined && value !== '' && value !== '-');
  for (const value of given) {
    const at = timeOf(value, window);
    if (at !== undefined && at >= oldest && at <= received + MAX_AHEAD_MS) return at;
  }
  return given.length > 0 ? 'unusable' : undefined;
}

/** The first usable time of several parts of a line, the best part first. */
export const firstTime = (...given: readonly ReportedTime[]): ReportedTime =>
  given.find((one) => typeof one === 'number') ?? given.find((one) => one !== undefined);

/** A time as events write it, in milliseconds: a number since the epoch in any usual unit, or one of `FORMS`. */
function timeOf(value: unknown, window: TimeWindow): number | undefined {
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string' || value.length > 64) return undefined;
  const text = value.trim();
  const [, number] = /^(?:\/Date\()?(\d{9,19}(?:\.\d{1,9})?)(?:\)\/)?$/.exec(text) ?? [];
  if (number !== undefined) return fromEpoch(Number(number));
  const parts = FORMS.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  return parts && fromParts(parts, window);
}

/** Seconds since the epoch are below this number, milliseconds below its thousandfold, and so on to nanoseconds. */
const MAX_SECONDS = 1e11;
const UNITS_A_SECOND = [1, 1e3, 1e6, 1e9];

function fromEpoch(value: number): number | undefined {
  const units = UNITS_A_SECOND.find((units) => value < MAX_SECONDS * units);
  return units === undefined || value <= 0 ? undefined : Math.round((value / units) * 1000);
}

const CLOCK = String.raw`(?<hours>\d\d):?(?<minutes>\d\d)(?::?(?<seconds>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?`;
const ZONE = String.raw`(?: ?(?<zone>[a-z]{1,4}|(?:UTC|GMT)?[+-]\d\d(?::?\d\d)?))?`;
const DAY_NAME = '(?:[a-z]{3},? )?';

const FORMS = [
  // RFC 3339 and near to it: 2026-01-15T08:00:00.5Z, 2026-01-15 08:00:00,123, 2026/01/15 08:00:00, 20260115T080000Z
  String.raw`(?<year>\d{4})[-/]?(?<number>\d\d)[-/]?(?<day>\d\d)[T ]${CLOCK}${ZONE}`,
  // RFC 3164 and CEF, with or without a year, and asctime: Jan 15 08:00:00, Jan 15 2026 08:00:00.123 UTC, Thu Jan 15 08:00:00 2026
  String.raw`${DAY_NAME}(?<month>[a-z]{3}) {1,2}(?<day>\d\d?),?(?: (?<year>\d{4}),?)? ${CLOCK}${ZONE}(?: (?<yearBehind>\d{4}))?`,
  // logs of web servers and RFC 5322: 15/Jan/2026:08:00:00 +0000, Thu, 15 Jan 2026 08:00:00 GMT
  String.raw`\[?${DAY_NAME}(?<day>\d\d?)[-/ ](?<month>[a-z]{3})[-/ ](?<year>\d{4})[: ]${CLOCK}${ZONE}\]?`,
].map((form) => new RegExp(`^${form}$`, 'i'));

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY_MS = 86_400_000;

/**
 * A time without a zone is taken as UTC, unless the source has a zone. A time without a year (RFC 3164, section 4.1.2) is of the latest year in which it is not more
 * than a day ahead of the receipt.
 */
function fromParts(parts: Record<string, string | undefined>, window: TimeWindow): number | undefined {
  const { received, momentOf = (wall: number) => wall } = window;
  const { year = parts.yearBehind, month, number, day, hours, minutes, seconds, fraction = '0', zone } = parts;
  const inMonth = month === undefined ? Number(number) - 1 : MONTHS.indexOf(month.toLowerCase());
  const offset = offsetOf(zone);
  const [dayOf, h, m, s] = [day, hours, minutes, seconds ?? 0].map(Number) as [number, number, number, number];
  const days = new Date(Date.UTC(2024, inMonth + 1, 0)).getUTCDate();
  if (inMonth < 0 || inMonth > 11 || dayOf < 1 || dayOf > days || h > 23 || m > 59 || s > 60) return undefined;
  if (offset === undefined) return undefined;
  const ms = Math.floor(Number(`0.${fraction}`) * 1000);
  const inYear = (one: number) => {
    const wall = Date.UTC(one, inMonth, dayOf, h, m, s, ms);
    return zone === undefined ? momentOf(wall) : wall - offset;
  };
  if (year !== undefined) return inYear(Number(year));
  const latest = new Date(received).getUTCFullYear() + 1;
  return [latest, latest - 1, latest - 2].map(inYear).find((at) => at <= received + DAY_MS);
}

/** Hours ahead of UTC for the names of RFC 5322, section 4.3, and the usual names in Europe. */
const ZONES: Record<string, number> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  west: 1,
  bst: 1,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  msk: 3,
  edt: -4,
  est: -5,
  cdt: -5,
  cst: -6,
  mdt: -6,
  mst: -7,
  pdt: -7,
  pst: -8,
};

/** Milliseconds ahead of UTC; undefined for a name that is not known. */
function offsetOf(zone = 'Z'): number | undefined {
  const [, sign, hours, minutes = '0'] = /([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (sign === undefined) {
    const ahead = ZONES[zone.toLowerCase()];
    return ahead === undefined ? undefined : ahead * 3_600_000;
  }
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
