import type { Dynamo } from '../runtime/dynamo.ts';
import { invalid } from '../runtime/errors.ts';
import type { Entity } from './entity.ts';
import { queryRows, type Range } from './io/read.ts';
import { type Bits, bitsIn, blocksIn, both } from './layout/bits.ts';
import { blockOfMark, blockOfOrder, type Keys, keysOf } from './layout/keys.ts';
import { NO_VALUE, valueMark } from './layout/marks.ts';
import { type Wanted, wantedWords } from './layout/words.ts';

/** Declared values that records must have: one value of each name; null finds records without a value of this name. */
type Where = Readonly<Record<string, string | null | undefined | readonly (string | null)[]>>;
/** Ends of ranges in declared orders, both included. */
type Between = Readonly<Record<string, { from?: string; to?: string } | undefined>>;

export type MarkQuery = {
  where?: Where;
  between?: Between;
  search?: string;
  /** For records that will change: a write of a moment ago counts. */
  consistent?: boolean;
};

/** Rows that one beginning of a word may bring, each of 4,320 records or less: 125 read units at most. */
const MAX_ROWS = 1000;

type Place = { dynamo: Dynamo; tenant: string; entity: Pick<Entity, 'name' | 'shards' | 'broad'> };
type Found = { bits: Bits; complete: boolean };

/**
 * The records with all wanted values and words: the AND of the marks' rows. Many records have a broad value, so broad
 * values are read last, and only in the blocks in which the other conditions left a record: two round trips, or one
 * where there is only one kind or nothing is left.
 * @throws validation_failed for a search without a word that narrows anything
 */
export async function markedBits(place: Place, { where = {}, between, search, consistent }: MarkQuery): Promise<Found> {
  const { dynamo, tenant, entity } = place;
  const keys = keysOf(tenant, entity);
  const read = (conditions: Condition[]) => Promise.all(conditions.map((one) => readAny(dynamo, one, consistent)));
  const isBroad = ([name]: [string, unknown]) => entity.broad.includes(name);
  const values = Object.entries(where);
  const last = values.filter(isBroad);
  const narrow = values.filter((value) => !isBroad(value)).flatMap(valueRanges(keys));
  const first = [...narrow, ...orderRanges(keys, between), ...wordRanges(keys, search)];
  if (first.length === 0) return allOf(await read(last.flatMap(valueRanges(keys))));
  const found = allOf(await read(first));
  const runs = runsOf(blocksIn(found.bits));
  return allOf([found, ...(await read(last.flatMap(valueRanges(keys, runs))))]);
}

const allOf = (found: Found[]): Found => ({
  bits: found.map((one) => one.bits).reduce(both),
  complete: found.every(({ complete }) => complete),
});

/** Blocks from the first to the last; between two runs are more blocks than are worth reading. */
type Run = { first: number; last: number };

/** A row is 0.86 KB at most and the least that a read costs is 4 KB, so that few rows are cheaper to read than to leave out. */
const NEAR = 3;
/** Queries that go beside each other for one value. */
const MAX_RUNS = 16;

function runsOf(blocks: readonly number[], near = NEAR): Run[] {
  const runs: Run[] = [];
  for (const block of blocks) {
    const run = runs.at(-1);
    if (run && block - run.last <= near + 1) run.last = block;
    else runs.push({ first: block, last: block });
  }
  return runs.length <= MAX_RUNS ? runs : runsOf(blocks, 2 * near);
}

/** Rows of which one must have the record. */
type Condition = { ranges: Range[]; blockOf: typeof blockOfMark };

/** @param runs the blocks that are read, all of them where undefined */
const valueRanges =
  (keys: Keys, runs?: readonly Run[]) =>
  ([name, wanted]: [string, Where[string]]): Condition[] => {
    if (wanted === undefined) return [];
    const marks = [wanted].flat().map((value) => valueMark(name, value ?? NO_VALUE));
    const rangesOf = (mark: string): Range[] =>
      runs ? runs.map((run) => keys.valueMarksIn(mark, run)) : [keys.valueMarks(mark)];
    return [{ ranges: marks.flatMap(rangesOf), blockOf: blockOfMark }];
  };

const orderRanges = (keys: Keys, between: Between = {}): Condition[] =>
  Object.entries(between).flatMap(([name, ends]) =>
    ends ? [{ ranges: [{ ...keys.orderBetween(name, ends), limit: MAX_ROWS }], blockOf: blockOfOrder }] : [],
  );

function wordRanges(keys: Keys, search: string | undefined): Condition[] {
  if (search === undefined) return [];
  return wordsOfSearch(search).map((word) => ({
    ranges: [{ ...keys.wordMarks(word), limit: MAX_ROWS }],
    blockOf: blockOfMark,
  }));
}

/** @throws validation_failed for a search without a word that narrows anything */
export function wordsOfSearch(search: string): Wanted[] {
  const words = wantedWords(search);
  if (words.length === 0) throw invalid('search', 'must have a word of two letters or digits or more');
  return words;
}

/** The records in one of the ranges. */
async function readAny(dynamo: Dynamo, { ranges, blockOf }: Condition, consistent?: boolean): Promise<Found> {
  const found = await Promise.all(ranges.map((range) => queryRows(dynamo, { ...range, consistent })));
  return { bits: bitsIn(found.flat(), blockOf), complete: found.every((rows) => rows.length < MAX_ROWS) };
}
