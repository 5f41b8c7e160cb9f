import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Severity } from '#shared/reports/report/report.ts';
import { type Filter, needsEvents } from '#shared/soc/hunting/matching.ts';
import { hourOf, readCountName, type Segment, segments, severityInitial } from '#shared/soc/siem/segments.ts';
import type { Hour } from '#shared/soc/siem/volume.ts';
import type { EventsFound } from './routes.ts';

type Histogram = EventsFound['histogram'];

/** Longer ranges, and those with more segments, are counted by the hour. */
const MAX_HOURS = 48;
const MAX_SEGMENTS = 4_000;
const AT_ONCE = 8;

type Range = { from: string; to: string };
type Wanted = { filter: Filter; range: Range; hours: readonly Hour[] };

/** Counts only from counters, where the filter allows it; undefined where only the events can answer. */
export async function countedHistogram(table: Table, { filter, range, hours }: Wanted): Promise<Histogram | undefined> {
  if (needsEvents(filter)) return undefined;
  const within = hours.filter(({ hour }) => hour >= hourOf(range.from) && hour <= hourOf(range.to));
  const rows = within.reduce((sum, one) => sum + one.segments, 0);
  if (isShort(range) && rows <= MAX_SEGMENTS) return byMinute(table, { filter, range, hours: within });
  if (filter.severities) return undefined;
  return histogramOf(
    3600,
    within.map(({ hour, events }) => [`${hour}:00:00.000Z`, events]),
  );
}

const HOUR_MS = 3_600_000;
const isShort = ({ from, to }: Range): boolean => Date.parse(to) - Date.parse(from) <= MAX_HOURS * HOUR_MS;

async function byMinute(table: Table, { filter, range, hours }: Wanted): Promise<Histogram> {
  const first = `${range.from.slice(0, 16)}:00.000Z`;
  const counts: [string, number][] = [];
  for (const some of chunksOf(hours, AT_ONCE)) {
    const found = await Promise.all(some.map(({ hour }) => table.rows(segments).query(hour)));
    const fitting = found.flat().filter(({ sourceId }) => !filter.sourceId || filter.sourceId === sourceId);
    counts.push(...fitting.flatMap((one) => minutesOf(one, filter.severities)));
  }
  return histogramOf(
    60,
    counts.filter(([at]) => at >= first && at < range.to),
  );
}

const minutesOf = ({ counts, hour }: Segment, severities: readonly Severity[] | undefined): [string, number][] =>
  Object.entries(counts).flatMap(([name, count]) => {
    const { minute, severity } = readCountName(name, hour);
    const isWanted = !severities || severities.some((one) => severityInitial(one) === severity);
    return isWanted ? [[minute, count]] : [];
  });

/** The counts of the events that a search has read, by the minute (`2026-01-15T08:00`). */
export function readHistogram(minutes: ReadonlyMap<string, number>, range: Range, isComplete: boolean): Histogram {
  const nameOf = (minute: string) => (isShort(range) ? `${minute}:00.000Z` : `${hourOf(minute)}:00:00.000Z`);
  const counts = [...minutes].map(([minute, count]): [string, number] => [nameOf(minute), count]);
  return { ...histogramOf(isShort(range) ? 60 : 3600, counts), isComplete };
}

function histogramOf(intervalSeconds: 60 | 3600, counts: readonly [string, number][]): Histogram {
  const sums = new Map<string, number>();
  for (const [at, count] of counts) sums.set(at, (sums.get(at) ?? 0) + count);
  const buckets = [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([at, count]) => ({ at, count }));
  return { intervalSeconds, isComplete: true, buckets };
}
