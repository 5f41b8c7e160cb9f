/** What a clock on a wall shows: the milliseconds since the epoch if that clock stood in UTC. */
export type WallTime = number;

export const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', second: 'numeric', ...parts });
  formats.set(timeZone, format);
  return format;
}

/** What the clocks of a time zone show at a moment (milliseconds since the epoch), to the second. */
export function wallTimeOf(moment: number, timeZone: string): WallTime {
  const parts = formatOf(timeZone).formatToParts(moment);
  const [year = 0, month = 1, day, hour, minute, second] = NAMES.map((name) =>
    Number(parts.find(({ type }) => type === name)?.value),
  );
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

const NAMES = ['year', 'month', 'day', 'hour', 'minute', 'second'];

const offsetAt = (moment: number, timeZone: string): number =>
  wallTimeOf(moment, timeZone) - Math.floor(moment / 1000) * 1000;

/**
 * The moment at which the clocks of a time zone show this. As RFC 5545 (section 3.3.5) wants it: of two such moments
 * the first; a time that the clocks skip is read with the offset before the gap.
 */
export function momentOf(wall: WallTime, timeZone: string): number {
  const [before, after] = [offsetAt(wall - DAY_MS, timeZone), offsetAt(wall + DAY_MS, timeZone)];
  const isShown = (offset: number) => offsetAt(wall - offset, timeZone) === offset;
  return isShown(before) || !isShown(after) ? wall - before : wall - after;
}
