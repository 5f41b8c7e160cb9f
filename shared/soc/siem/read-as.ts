import * as z from 'zod';
import { TimeZone } from '#shared/people/user.ts';
import { DAY_MS } from '#shared/platform/runtime/clock.ts';
import { momentOf } from '#shared/scanning/schedule/wall-clock.ts';
import { BATCH_FORMATS } from './event.ts';
import type { TimeWindow } from './formats/time.ts';

const part = z.string().trim().toLowerCase().min(1).max(60).nullish();

/** Settings of a source that decide how its next events are read, in place of what the service recognizes. */
export const READ_AS = {
  product: part.meta({
    description: "with `category` and `service` as in the `logsource` of Sigma's rules; null: as recognized",
    example: 'linux',
  }),
  category: part,
  service: part,
  timeZone: TimeZone.nullish().meta({ description: 'of times without a zone; null: UTC', example: 'Europe/Berlin' }),
  parser: z.enum(BATCH_FORMATS).nullish().meta({ description: 'in place of the `format` of its batches' }),
};

const ReadAs = z.object(READ_AS);
export type ReadAs = z.infer<typeof ReadAs>;

/** The settings of a source; undefined without any. */
export function readAsOf(source: ReadAs): ReadAs | undefined {
  const { product, category, service, timeZone, parser } = source;
  const said = Object.entries({ product, category, service, timeZone, parser }).filter(([, value]) => value);
  return said.length > 0 ? Object.fromEntries(said) : undefined;
}

/** Clocks change at most every quarter of an hour. */
const QUARTER_MS = 900_000;

/** The moments of wall times in a zone; each quarter of an hour is computed once. Times far outside of the window stay as they are. */
export function clockIn(timeZone: string, { oldest, received }: TimeWindow): (wall: number) => number {
  const offsets = new Map<number, number>();
  return (wall) => {
    if (wall < oldest - DAY_MS || wall > received + DAY_MS) return wall;
    const quarter = Math.floor(wall / QUARTER_MS) * QUARTER_MS;
    const offset = offsets.get(quarter) ?? quarter - momentOf(quarter, timeZone);
    offsets.set(quarter, offset);
    return wall - offset;
  };
}
