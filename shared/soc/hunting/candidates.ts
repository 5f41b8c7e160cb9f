import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { hourOf, type Segment, segmentPairs, segments, segmentWords } from '#shared/soc/siem/segments.ts';
import type { Hour } from '#shared/soc/siem/volume.ts';
import { mayHave } from '#shared/soc/siem/word-filter.ts';
import type { Cursor } from './cursor.ts';
import { type Filter, markedBy, mayHold, pairIn } from './matching.ts';

/**
 * The most rows of segments, and bytes of their filters (about 3,000 read units), that an answer reads. Small segments
 * have small filters.
 */
const MAX_ROWS = 4_000;
const MAX_FILTER_BYTES = 24 * 1024 * 1024;
/** Hours that an answer looks into, and those that are read at the same time. */
const MAX_HOURS = 240;
const HOURS_AT_ONCE = 8;
const FILTERS_AT_ONCE = 100;

export type Place = [to: string, id: string];

/** Segments that have to be read, in their order. `stoppedAt`: the last segment that was decided on, where the search must end early. */
type Candidates = { found: Segment[]; skipped: number; stoppedAt?: Place };

type Search = { filter: Filter; cursor: Cursor; hours: readonly Hour[] };

export const placeOf = ({ to, id }: Segment): Place => [to, id];
const isBehind = (one: Place, other: Place): boolean => one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);

/**
 * The segments that may hold matching events, newest events first, in steps. A step has the segments of some hours
 * whose rows and words do not rule out a match.
 */
export async function* candidates(table: Table, { filter, cursor, hours }: Search): AsyncGenerator<Candidates> {
  const { from, to, after, before } = cursor;
  const newest =
    [hourOf(to), ...(after ? [hourOf(after[0])] : []), ...(before ? [hourOf(before[0])] : [])].sort()[0] ?? '';
  const wanted = hours.filter(({ hour }) => hour >= hourOf(from) && hour <= newest);
  const left = { rows: MAX_ROWS, bytes: MAX_FILTER_BYTES };
  const isIn = (one: Segment) =>
    one.to >= from &&
    one.from < to &&
    (!after || isBehind(placeOf(one), after)) &&
    (!before || one.from <= before[0]) &&
    mayHold(filter, one);
  for (const some of chunksOf(wanted.slice(0, MAX_HOURS), HOURS_AT_ONCE)) {
    const rows = await Promise.all(some.map(({ hour }) => rowsOf(table, hour, { limit: left.rows, after })));
    for (const all of rows) {
      const isCut = all.length >= left.rows;
      const found = all.filter(isIn);
      left.rows -= all.length;
      yield* byWords(table, { filter, found, left });
      const last = all.at(-1);
      if (isCut && last) yield { found: [], skipped: 0, stoppedAt: placeOf(last) };
      if (isCut) return;
    }
  }
  const next = wanted[MAX_HOURS];
  if (next) yield { found: [], skipped: 0, stoppedAt: [`${next.hour}:59:59.999Z`, '~'] };
}

const rowsOf = (table: Table, hour: string, { limit, after }: { limit: number; after: Place | undefined }) =>
  table.rows(segments).query(hour, {
    ...(after && hourOf(after[0]) === hour ? { between: { from: hour, to: after.join('_') } } : {}),
    backward: true,
    limit,
  });

type Rows = { filter: Filter; found: readonly Segment[]; left: { bytes: number } };

/** Leaves out segments whose filters lack the pair or a word. */
async function* byWords(table: Table, { filter, found, left }: Rows): AsyncGenerator<Candidates> {
  if (markedBy(filter).length === 0) {
    yield { found: [...found], skipped: 0 };
    return;
  }
  for (const some of chunksOf(found, FILTERS_AT_ONCE)) {
    const last = some.at(-1);
    const { fits, bytes } = await filteredBy(table, filter, some);
    const fitting = some.filter(({ id }) => fits.has(id));
    left.bytes -= bytes;
    const isUp = left.bytes <= 0 && last;
    yield { found: fitting, skipped: some.length - fitting.length, ...(isUp && { stoppedAt: placeOf(last) }) };
    if (isUp) return;
  }
}

/** A host and a user: without further words, the pair alone decides. */
const MARKS_OF_PAIR = 2;

/**
 * The segments that may hold the words and the pair of a filter. Pairs are read first: few segments have a rare one, and a filter of words has up
 * to 64 KB. The filters of a segment that was removed after its row was read are not there.
 */
async function filteredBy(table: Table, filter: Filter, some: readonly Segment[]) {
  const [marks, pair] = [markedBy(filter), pairIn(filter)];
  const keys = some.map(({ hour, id }) => ({ hour, id }));
  const paired = pair === undefined ? [] : await table.rows(segmentPairs).findMany(keys);
  const hasPair = new Map(paired.map(({ id, pairs }) => [id, pair !== undefined && mayHave(pairs, pair)]));
  const isDecided = marks.length === MARKS_OF_PAIR;
  const isOpen = ({ id }: { id: string }) => hasPair.get(id) ?? true;
  const isWorded = ({ id }: { id: string }) => isOpen({ id }) && !(isDecided && hasPair.has(id));
  const worded = await table.rows(segmentWords).findMany(keys.filter(isWorded));
  const fitting = worded.filter(({ words }) => marks.every((mark) => mayHave(words, mark)));
  const decided = isDecided ? paired.filter(isOpen) : [];
  const read = [...paired.map(({ pairs }) => pairs), ...worded.map(({ words }) => words)];
  return {
    fits: new Set([...decided, ...fitting].map(({ id }) => id)),
    bytes: read.reduce((sum, { length }) => sum + length, 0),
  };
}
