import type { Dynamo } from '../runtime/dynamo.ts';
import { invalid } from '../runtime/errors.ts';
import { queryRows, type Range } from './io/read.ts';
import { type Bits, bitsIn, both } from './layout/bits.ts';
import { blockOfMark, blockOfOrder, type Keys } from './layout/keys.ts';
import { NO_VALUE, valueMark } from './layout/marks.ts';
import { wantedWords } from './layout/words.ts';

/** Declared values that records must have: one of each name's; null finds records without a value of this name. */
type Where = Readonly<Record<string, string | null | undefined | readonly (string | null)[]>>;
/** Ends of declared orders, both included: records that lie between them. */
type Between = Readonly<Record<string, { from?: string; to?: string } | undefined>>;

export type MarkQuery = {
  where?: Where;
  between?: Between;
  search?: string;
  /** For what is to be changed: a write of a moment ago counts. */
  consistent?: boolean;
};

/** Rows that one beginning of a word may bring, each of 4,320 records or less: 125 read units at most. */
const MAX_ROWS = 1000;

type Found = { bits: Bits; complete: boolean };

/**
 * The records that have every value and word asked for: the AND of the marks' rows. One round trip.
 * @throws validation_failed for a search without a word that narrows anything
 */
export async function markedBits(
  dynamo: Dynamo,
  keys: Keys,
  { where, between, search, consistent }: MarkQuery,
): Promise<Found> {
  const conditions = [...valueRanges(keys, where), ...orderRanges(keys, between), ...wordRanges(keys, search)];
  const found = await Promise.all(conditions.map((one) => readAny(dynamo, one, consistent)));
  return {
    bits: found.map((one) => one.bits).reduce(both),
    complete: found.every(({ complete }) => complete),
  };
}

/** Rows, one of which a record must stand in. */
type Condition = { ranges: Range[]; blockOf: typeof blockOfMark };

const valueRanges = (keys: Keys, where: Where = {}): Condition[] =>
  Object.entries(where).flatMap(([name, wanted]) => {
    if (wanted === undefined) return [];
    const ranges = [wanted].flat().map((value) => keys.valueMarks(valueMark(name, value ?? NO_VALUE)));
    return [{ ranges, blockOf: blockOfMark }];
  });

const orderRanges = (keys: Keys, between: Between = {}): Condition[] =>
  Object.entries(between).flatMap(([name, ends]) =>
    ends ? [{ ranges: [{ ...keys.orderBetween(name, ends), limit: MAX_ROWS }], blockOf: blockOfOrder }] : [],
  );

function wordRanges(keys: Keys, search: string | undefined): Condition[] {
  if (search === undefined) return [];
  const words = wantedWords(search);
  if (words.length === 0) throw invalid('search', 'must have a word of two letters or digits or more');
  return words.map((word) => ({
    ranges: [{ ...keys.wordMarks(word), limit: MAX_ROWS }],
    blockOf: blockOfMark,
  }));
}

/** The records that one of the ranges has. */
async function readAny(dynamo: Dynamo, { ranges, blockOf }: Condition, consistent?: boolean): Promise<Found> {
  const found = await Promise.all(ranges.map((range) => queryRows(dynamo, { ...range, consistent })));
  return { bits: bitsIn(found.flat(), blockOf), complete: found.every((rows) => rows.length < MAX_ROWS) };
}
