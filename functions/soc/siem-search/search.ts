import type { Context } from '#shared/platform/table/context.ts';
import { type Cursor, readCursor, writeCursor } from '#shared/soc/hunting/cursor.ts';
import { valuesIn } from '#shared/soc/hunting/event-filter.ts';
import { eventsBefore, openSearch, type Question, readNewest } from '#shared/soc/hunting/read-newest.ts';
import { SiemEvent } from '#shared/soc/siem/event.ts';
import { eventIn, hourOf } from '#shared/soc/siem/segments.ts';
import { countedHistogram, readHistogram } from './histogram.ts';
import type { EventsEstimate, EventsFound, EventsQuery, EventValues, ValuesQuery } from './routes.ts';

const cursorIn = ({ cursor }: { cursor?: string | undefined }): Cursor | undefined =>
  cursor === undefined ? undefined : readCursor(cursor);

/**
 * Searches events. An answer reads a bounded number of rows and segments; its cursor says where the next search
 * continues. @throws validation_failed
 */
export async function searchEvents(context: Context, query: EventsQuery): Promise<EventsFound> {
  const search = await openSearch(context, query, { cursor: cursorIn(query) });
  const { cursor: range, filter, hours } = search;
  const minutes = new Map<string, number>();
  const [counted, found] = await Promise.all([
    countedHistogram(context.table, { filter, range, hours }),
    readNewest(context, { ...search, limit: query.limit, seen: ({ at }) => addTo(minutes, at.slice(0, 16)) }),
  ]);
  const { all, next, read, skipped } = found;
  const data = all.slice(0, query.limit).map(({ id, line }) => ({ ...SiemEvent.parse(eventIn(line)), id }));
  const isComplete = next === undefined;
  const { from, to } = range;
  return {
    from,
    to,
    data,
    isComplete,
    cursor: next ? writeCursor(next) : null,
    histogram: counted ?? readHistogram(minutes, range, isComplete && query.cursor === undefined),
    read: { segments: read, skipped },
  };
}

const addTo = (counts: Map<string, number>, name: string): unknown => counts.set(name, (counts.get(name) ?? 0) + 1);

/** Different values that an answer counts; rarer ones may come behind. */
const MAX_VALUES = 20_000;
const MAX_LENGTH = 200;

/** Counts the values of a field in the events that one answer reads. @throws validation_failed */
export async function countValues(context: Context, query: ValuesQuery): Promise<EventValues> {
  const { field, limit } = query;
  const search = await openSearch(context, query, { cursor: cursorIn(query) });
  const counts = new Map<string, number>();
  let [events, withField, leftOut] = [0, 0, 0];
  const { next } = await readNewest(context, {
    ...search,
    limit: 0,
    seen({ line }) {
      events += 1;
      const values = valuesIn(eventIn(line), field);
      if (values.length > 0) withField += 1;
      for (const value of new Set(values.map((one) => one.slice(0, MAX_LENGTH))))
        if (counts.has(value) || counts.size < MAX_VALUES) addTo(counts, value);
        else leftOut += 1;
    },
  });
  const { from, to } = search.cursor;
  const sorted = [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  return {
    field,
    from,
    to,
    values: sorted.slice(0, limit).map(([value, count]) => ({ value, count })),
    distinct: counts.size,
    events,
    withField,
    isComplete: next === undefined && leftOut === 0,
    reached: next ? (next.before ?? next.after ?? [from])[0] : from,
    cursor: next ? writeCursor(next) : null,
  };
}

/** A hunt tries so many events a second, and more where its filter leaves out segments. */
const EVENTS_A_SECOND = 20_000;

/** @throws validation_failed for a question that cannot be answered */
export async function estimateEvents(context: Context, question: Question): Promise<EventsEstimate> {
  const search = await openSearch(context, question);
  const { from, to } = search.cursor;
  const events = eventsBefore(search, from);
  const within = search.hours.filter(({ hour }) => hour >= hourOf(from) && hour <= hourOf(to));
  const segments = within.reduce((sum, one) => sum + one.segments, 0);
  return { from, to, events, segments, seconds: Math.ceil(events / EVENTS_A_SECOND) };
}
