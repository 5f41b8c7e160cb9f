import { knownLimits } from '#shared/platform/quotas/limits.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { inSeconds, now, secondsAfter } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { given } from '#shared/platform/runtime/given.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { dayOf } from '#shared/reports/report/time-measures.ts';
import { alerts } from '../alerts/alert.ts';
import { readSegment, type Segment } from '../siem/segments.ts';
import { type Hour, hoursOf, readVolumes } from '../siem/volume.ts';
import { candidates, type Place, placeOf } from './candidates.ts';
import type { Cursor } from './cursor.ts';
import { type Asked, type Filter, filterOf, type Match, matchesIn } from './matching.ts';
import { eventsOfAlert, type Hunt, huntFor } from './rule-test.ts';

/** Segments that an answer reads at most, and those that it reads at the same time. */
const MAX_READ = 32;
const AT_ONCE = 4;
/** Events that an answer reads as a whole, for words or a rule: some seconds of a small function. */
const MAX_PARSED = 100_000;

/** A question about stored events. `content` is the text of a rule that need not be stored. */
export type Question = Asked & {
  from?: string | undefined;
  to?: string | undefined;
  alertId?: string | undefined;
  ruleId?: string | undefined;
  content?: string | undefined;
  rules?: string | undefined;
};
type Whole = Question & { dedupKey?: string };

/** A question that can be answered: its filter, the place where the search begins, and the hours that have events. */
type Search = { filter: Filter; cursor: Cursor; hours: readonly Hour[] };

/** `hunt`: the test of a rule that is not stored. */
type Opening = { cursor?: Cursor | undefined; hunt?: Hunt | undefined };

/** @throws validation_failed, which names the part of the question */
export async function openSearch(
  context: Context,
  question: Question,
  { cursor, hunt }: Opening = {},
): Promise<Search> {
  const { table } = context;
  const whole = await wholeQuestion(table, question);
  const filter = filterOf(whole, hunt ?? (await huntFor(table, whole)));
  const begin = cursor ?? (await rangeOf(context, whole));
  const range = { from: dayOf(begin.from), to: dayOf(begin.to), sourceId: filter.sourceId };
  return { filter, cursor: begin, hours: (await readVolumes(table, range)).flatMap(hoursOf) };
}

/** The question for an alert's events: the times, the group and the rule of the alert; what the question says itself narrows it. */
async function wholeQuestion(table: Table, question: Question): Promise<Whole> {
  const { alertId, ruleId, content, rules } = question;
  const [first, second] = Object.entries({ alertId, ruleId, content, rules }).flatMap(([name, value]) =>
    value === undefined ? [] : name,
  );
  if (second) throw invalid(second, `leave it out beside ${first}: a search tries one rule`);
  if (alertId === undefined) return question;
  const alert = await table.find(alerts, alertId);
  if (!alert) throw invalid('alertId', 'there is no such alert');
  const { from, to, host, user } = question;
  return { ...question, ...eventsOfAlert(alert), ...given({ from, to, host, user }) };
}

/** A search never returns events after their days of retention, even before their removal. */
async function rangeOf({ connections, table }: Context, { from, to = now() }: Question): Promise<Cursor> {
  const begin = from ?? secondsAfter(to, -3600);
  if (begin >= to) throw invalid('from', 'must be before to');
  const { siemRetentionDays } = await knownLimits(connections.dynamo, table.organizationId);
  const kept = inSeconds(-siemRetentionDays * 86_400);
  const latest = begin < kept ? kept : begin;
  return { from: latest < to ? latest : to, to };
}

/** `limit`: events of a page; none: `seen` alone gets the events. `seen`: called for each event that fits, also behind the limit. */
type Wanted = Search & { limit: number; seen: (match: Match) => void };
type Read = { all: Match[]; next: Cursor | undefined; read: number; skipped: number };

/** Reads segments until no other segment can hold an event newer than the page, or until the limit of an answer. */
export async function readNewest(context: Context, wanted: Wanted): Promise<Read> {
  const { cursor, limit, seen } = wanted;
  let all: Match[] = [];
  let [read, parsed, skipped] = [0, 0, 0];
  let last: Place | undefined;
  const isFull = (next: Segment) => limit > 0 && all.length >= limit && (all[limit - 1]?.at ?? '') > next.to;
  const older = (): Cursor => {
    const { at, id } = all[limit - 1] ?? { at: '', id: '' };
    return { ...cursor, before: [at, id] };
  };
  const behind = (stop: Place): Cursor =>
    limit > 0 && all.length > limit ? older() : { from: cursor.from, to: cursor.to, after: stop };
  for await (const step of candidates(context.table, wanted)) {
    skipped += step.skipped;
    for (const some of chunksOf(step.found, AT_ONCE)) {
      const [first] = some;
      if (first && isFull(first)) return { all, next: older(), read, skipped };
      if (last && (read >= MAX_READ || parsed >= MAX_PARSED)) return { all, next: behind(last), read, skipped };
      const looked = await Promise.all(some.map((segment) => matchesOf(context, segment, wanted)));
      const found = looked.flatMap((one) => one.found);
      for (const one of found) seen(one);
      // one more than the page shows that more exist
      all = [...all, ...found].sort(newestFirst).slice(0, limit > 0 ? limit + 1 : 0);
      read += some.length;
      parsed += looked.reduce((sum, one) => sum + (limit > 0 ? one.parsed : one.found.length), 0);
      last = placeOf(some.at(-1) ?? (first as Segment));
    }
    if (step.stoppedAt) return { all, next: behind(step.stoppedAt), read, skipped };
  }
  return { all, next: limit > 0 && all.length > limit ? older() : undefined, read, skipped };
}

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

/** How many of the events between the times of a search are newer than a place, by the counts of their hours. */
export function eventsBefore({ cursor: { from, to }, hours }: Search, place: string): number {
  const share = ({ hour, until, events }: Hour): number => {
    const begin = Date.parse(`${hour}:00:00.000Z`);
    const end = Date.parse(until) + 1;
    const newest = Math.min(end, Date.parse(to));
    const oldest = Math.max(begin, Date.parse(from), Date.parse(place));
    return newest <= oldest ? 0 : (events * (newest - oldest)) / (end - begin);
  };
  return Math.round(hours.reduce((sum, one) => sum + share(one), 0));
}
