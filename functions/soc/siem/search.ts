import { knownLimits } from '#shared/platform/quotas/limits.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { inSeconds, now, secondsAfter } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { given } from '#shared/platform/runtime/given.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { dayOf } from '#shared/reports/report/time-measures.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { eventsOfAlert, huntFor } from '#shared/soc/detection/hunt.ts';
import { SiemEvent } from '#shared/soc/siem/event.ts';
import { readSegment, type Segment } from '#shared/soc/siem/segments.ts';
import { hoursOf, readVolumes } from '#shared/soc/siem/volume.ts';
import { type Candidates, candidates, type Place, placeOf } from './candidates.ts';
import { type Cursor, readCursor, writeCursor } from './cursor.ts';
import { countedHistogram, readHistogram } from './histogram.ts';
import { type Filter, filterOf, type Match, matchesIn } from './matching.ts';
import type { EventsFound, EventsQuery } from './routes.ts';

/** Segments that an answer reads at most, and those that it reads at the same time. */
const MAX_READ = 32;
const AT_ONCE = 4;
/** Events that an answer reads as a whole, for words or a rule: some seconds of a small function. */
const MAX_PARSED = 50_000;

/**
 * Searches events. An answer reads a bounded number of rows and segments; its cursor says where the next search
 * continues. @throws validation_failed
 */
export async function searchEvents(context: Context, query: EventsQuery): Promise<EventsFound> {
  const { table } = context;
  const asked = await askedOf(table, query);
  const filter = filterOf(asked, await huntFor(table, asked));
  const cursor = query.cursor === undefined ? await rangeOf(context, asked) : readCursor(query.cursor);
  const { from, to } = cursor;
  const days = await readVolumes(table, { from: dayOf(from), to: dayOf(to), sourceId: filter.sourceId });
  const hours = days.flatMap(hoursOf);
  const steps = candidates(table, { filter, cursor, hours });
  const [counted, found] = await Promise.all([
    countedHistogram(table, { filter, range: cursor, hours }),
    readNewest(context, steps, { filter, cursor, limit: query.limit }),
  ]);
  const { all, minutes, next, read, skipped } = found;
  const data = all.slice(0, query.limit).map(({ id, line }) => ({ ...SiemEvent.parse(JSON.parse(line)), id }));
  const isComplete = next === undefined;
  return {
    from,
    to,
    data,
    isComplete,
    cursor: next ? writeCursor(next) : null,
    histogram: counted ?? readHistogram(minutes, cursor, isComplete && query.cursor === undefined),
    read: { segments: read, skipped },
  };
}

type Asked = EventsQuery & { dedupKey?: string };

/** The query of an alert's events: the times, the group and the rule of the alert; what the query says itself narrows it. */
async function askedOf(table: Table, query: EventsQuery): Promise<Asked> {
  if (query.alertId === undefined) return query;
  if (query.ruleId !== undefined) throw invalid('ruleId', 'leave it out beside alertId, whose rule is known');
  const alert = await table.find(alerts, query.alertId);
  if (!alert) throw invalid('alertId', 'there is no such alert');
  return {
    ...query,
    ...eventsOfAlert(alert),
    ...given({ from: query.from, to: query.to, host: query.host, user: query.user }),
  };
}

/** A search never returns events after their days of retention, even before their removal. */
async function rangeOf({ connections, table }: Context, { from, to = now() }: Asked): Promise<Cursor> {
  const begin = from ?? secondsAfter(to, -3600);
  if (begin >= to) throw invalid('from', 'must be before to');
  const { siemRetentionDays } = await knownLimits(connections.dynamo, table.organizationId);
  const kept = inSeconds(-siemRetentionDays * 86_400);
  const latest = begin < kept ? kept : begin;
  return { from: latest < to ? latest : to, to };
}

type Wanted = { filter: Filter; cursor: Cursor; limit: number };
type Read = { all: Match[]; minutes: Map<string, number>; next: Cursor | undefined; read: number; skipped: number };

/** Reads segments until no other segment can hold an event newer than the page, or until the limit. */
async function readNewest(context: Context, steps: AsyncGenerator<Candidates>, wanted: Wanted): Promise<Read> {
  const { cursor, limit } = wanted;
  let all: Match[] = [];
  const minutes = new Map<string, number>();
  let [read, parsed, skipped] = [0, 0, 0];
  let last: Place | undefined;
  const isFull = (next: Segment) => all.length >= limit && (all[limit - 1]?.at ?? '') > next.to;
  const older = (): Cursor => {
    const { at, id } = all[limit - 1] ?? { at: '', id: '' };
    return { ...cursor, before: [at, id] };
  };
  const behind = (stop: Place): Cursor =>
    all.length > limit ? older() : { from: cursor.from, to: cursor.to, after: stop };
  for await (const step of steps) {
    skipped += step.skipped;
    for (const some of chunksOf(step.found, AT_ONCE)) {
      const [first] = some;
      if (first && isFull(first)) return { all, minutes, next: older(), read, skipped };
      if (last && (read >= MAX_READ || parsed >= MAX_PARSED))
        return { all, minutes, next: behind(last), read, skipped };
      const looked = await Promise.all(some.map((segment) => matchesOf(context, segment, wanted)));
      const found = looked.flatMap((one) => one.found);
      for (const { at } of found) addTo(minutes, at.slice(0, 16));
      // one more than the page shows that more exist
      all = [...all, ...found].sort(newestFirst).slice(0, limit + 1);
      read += some.length;
      parsed += looked.reduce((sum, one) => sum + one.parsed, 0);
      last = placeOf(some.at(-1) ?? (first as Segment));
    }
    if (step.stoppedAt) return { all, minutes, next: behind(step.stoppedAt), read, skipped };
  }
  return { all, minutes, next: all.length > limit ? older() : undefined, read, skipped };
}

const addTo = (counts: Map<string, number>, name: string): unknown => counts.set(name, (counts.get(name) ?? 0) + 1);

const newestFirst = (one: Match, other: Match): number =>
  one.at === other.at ? (one.id < other.id ? 1 : -1) : one.at < other.at ? 1 : -1;

async function matchesOf({ connections, table }: Context, segment: Segment, wanted: Wanted) {
  const { filter, cursor } = wanted;
  const lines = await readSegment(connections.bucket, table.organizationId, segment);
  const { from, to, before } = cursor;
  const { found, parsed } = matchesIn(lines, segment, { ...filter, from, to });
  const isOlder = ({ at, id }: Match) => !before || at < before[0] || (at === before[0] && id < before[1]);
  return { found: found.filter(isOlder), parsed };
}
