import type * as z from 'zod';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { detectionRules } from '#shared/soc/detection/detection-rule.ts';
import { type Cursor, readCursor, writeCursor } from '#shared/soc/hunting/cursor.ts';
import { valuesIn } from '#shared/soc/hunting/event-filter.ts';
import { eventsBefore, openSearch, type Question, readNewest } from '#shared/soc/hunting/read-newest.ts';
import { SiemEvent } from '#shared/soc/siem/event.ts';
import { eventIn, hourOf } from '#shared/soc/siem/segments.ts';
import { countedHistogram, readHistogram } from './histogram.ts';
import type { EstimateQuery, EventsEstimate, EventsFound, EventsQuery, EventValues, ValuesQuery } from './routes.ts';

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

/**
 * The microseconds of a processor that an event takes on its way into a file, that one rule takes to be tried on it, and that many do: as
 * measured with the rules of SigmaHQ on events of Windows, sshd and web servers.
 */
const EXPORTED = 86;
const TRIED = { one: 25, many: 82, each: 0.02 };
/** Reads a rule and makes it ready, in a process that has not tried it yet. */
const COMPILED = 2_400;

type Estimated = Question & { rules?: z.output<typeof EstimateQuery>['rules'] };

/** @throws validation_failed for a question that cannot be answered */
export async function estimateEvents(context: Context, question: Estimated): Promise<EventsEstimate> {
  const search = await openSearch(context, question);
  const { from, to } = search.cursor;
  const events = eventsBefore(search, from);
  const within = search.hours.filter(({ hour }) => hour >= hourOf(from) && hour <= hourOf(to));
  const segments = within.reduce((sum, one) => sum + one.segments, 0);
  const seconds = Math.ceil((await microsecondsOf(context.table, { question, events })) / 1_000_000);
  return { from, to, events, segments, seconds };
}

type Work = { question: Estimated; events: number };

async function microsecondsOf(table: Table, { question, events }: Work): Promise<number> {
  const { rules, ruleId, alertId } = question;
  if (rules === undefined || rules === 'one') return events * ((rules ?? ruleId ?? alertId) ? TRIED.one : EXPORTED);
  const where = rules === 'on' ? { where: { enabled: 'true' } } : {};
  const { totalCount } = await table.list(detectionRules, { paginateFrom: 0, paginateSize: 1, ...where });
  return events * (TRIED.many + TRIED.each * totalCount) + totalCount * COMPILED;
}
