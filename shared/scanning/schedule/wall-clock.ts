import { DAY_MS } from '#shared/platform/runtime/clock.ts';
/** A local time without its zone: the milliseconds since the epoch, if a clock in UTC showed this time. */
export type WallTime = number;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', second: 'numeric', ...parts });
  formats.set(timeZone, format);
  return format;
}

const NAMES = ['year', 'month', 'day', 'hour', 'minute', 'second'];

function readOffset(moment: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(moment);
  const [year = 0, month = 1, day, hour, minute, second] = NAMES.map((name) =>
    Number(parts.find(({ type }) => type === name)?.value),
  );
  return Date.UTC(year, month - 1, day, hour, minute, second) - moment;
}

/** Since 1972, the clocks of every zone have changed at a quarter of an hour of UTC. */
const QUARTER_MS = 900_000;
/** Intl takes microseconds per offset; a calendar needs thousands of offsets, mostly of the same moments. */
const offsets = new Map<string, number>();
const MAX_OFFSETS = 20_000;

function offsetAt(moment: number, timeZone: string): number {
  const quarter = Math.floor(moment / QUARTER_MS) * QUARTER_MS;
  const name = `${timeZone} ${quarter}`;
  const known = offsets.get(name);
  if (known !== undefined) return known;
  if (offsets.size >= MAX_OFFSETS) offsets.clear();
  const offset = readOffset(quarter, timeZone);
  offsets.set(name, offset);
  return offset;
}

/** The wall time of a moment (milliseconds since the epoch) in a time zone, in whole seconds. */
export const wallTimeOf = (moment: number, timeZone: string): WallTime =>
  Math.floor(moment / 1000) * 1000 + offsetAt(moment, timeZone);

/**
 * The moment of a wall time in a time zone. RFC 5545 (section 3.3.5): of two such moments the first; a time that the
 * clocks skip is read with the offset before the gap.
 */
export function momentOf(wall: WallTime, timeZone: string): number {
  const [before, after] = [offsetAt(wall - DAY_MS, timeZone), offsetAt(wall + DAY_MS, timeZone)];
  const isShown = (offset: number) => offsetAt(wall - offset, timeZone) === offset;
  return isShown(before) || !isShown(after) ? wall - before : wall - after;
}
