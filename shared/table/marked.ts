import type { Dynamo } from '../runtime/dynamo.ts';
import { invalid } from '../runtime/errors.ts';
import { queryRows, type Range } from './io/read.ts';
import { blockIn, type Keys, type Row } from './layout/keys.ts';
import { NO_VALUE, valueMark } from './layout/marks.ts';
import { GROUP, groupsOfMark } from './layout/positions.ts';
import { wantedWords } from './layout/words.ts';
import type { PageRange } from './paging.ts';

/** Declared values that records must have: one of each name's; null finds records without a value of this name. */
type Where = Readonly<Record<string, string | null | undefined | readonly (string | null)[]>>;

export type MarkQuery = { where?: Where; search?: string };

/** Rows that one beginning of a word may bring, each of 4,320 records or less: 125 read units at most. */
const MAX_ROWS = 1000;

/** Bits of the records that fit: group of 120 ordinals -> bits. */
type Bits = Map<number, bigint>;
type Found = { bits: Bits; complete: boolean };

/**
 * Where the records lie that have every value and word asked for, newest first: the AND of the marks' rows. One round
 * trip, at any offset.
 * @throws validation_failed for a search without a word that narrows anything
 */
export async function markedPositions(
  dynamo: Dynamo,
  keys: Keys,
  { where, search, paginateFrom, paginateSize }: MarkQuery & PageRange,
): Promise<{ ordinals: number[]; total: number; complete: boolean }> {
  const conditions = [...valueRanges(keys, where), ...wordRanges(keys, search)];
  const found = await Promise.all(conditions.map((ranges) => readAny(dynamo, ranges)));
  const bits = found.map((one) => one.bits).reduce(both);
  const total = bits.values().reduce((sum, group) => sum + onesIn(group), 0);
  const ordinals = newest(bits, { paginateFrom, paginateSize });
  return { ordinals, total, complete: found.every(({ complete }) => complete) };
}

const valueRanges = (keys: Keys, where: Where = {}): Range[][] =>
  Object.entries(where).flatMap(([name, wanted]) =>
    wanted === undefined ? [] : [[wanted].flat().map((value) => keys.valueMarks(valueMark(name, value ?? NO_VALUE)))],
  );

function wordRanges(keys: Keys, search: string | undefined): Range[][] {
  if (search === undefined) return [];
  const words = wantedWords(search);
  if (words.length === 0) throw invalid('search', 'must have a word of two letters or digits or more');
  return words.map((word) => [{ ...keys.wordMarks(word), limit: MAX_ROWS }]);
}

/** The records that one of the ranges has. */
async function readAny(dynamo: Dynamo, ranges: readonly Range[]): Promise<Found> {
  const found = await Promise.all(ranges.map((range) => queryRows(dynamo, range)));
  const bits: Bits = new Map();
  for (const row of found.flat())
    for (const { group, value } of groupsOfMark(blockOfMark(row), row))
      bits.set(group, (bits.get(group) ?? 0n) | value);
  return { bits, complete: found.every((rows) => rows.length < MAX_ROWS) };
}

/** Behind the word where the row is a word's; a row of a value begins with the block. */
const blockOfMark = ({ sk }: Row): number => blockIn(sk.slice(sk.lastIndexOf(' ') + 1));

function both(a: Bits, b: Bits): Bits {
  const common: Bits = new Map();
  for (const [group, bits] of a) {
    const shared = bits & (b.get(group) ?? 0n);
    if (shared !== 0n) common.set(group, shared);
  }
  return common;
}

const onesIn = (bits: bigint): number => bits.toString(2).replaceAll('0', '').length;

function newest(bits: Bits, { paginateFrom, paginateSize }: PageRange): number[] {
  const ordinals: number[] = [];
  let seen = 0;
  for (const group of [...bits.keys()].sort((a, b) => b - a)) {
    const here = bits.get(group) ?? 0n;
    const count = onesIn(here);
    if (seen + count > paginateFrom) ordinals.push(...ordinalsOf(group, here).slice(Math.max(0, paginateFrom - seen)));
    seen += count;
    if (ordinals.length >= paginateSize) break;
  }
  return ordinals.slice(0, paginateSize);
}

/** Highest first. */
const ordinalsOf = (group: number, bits: bigint): number[] =>
  [...bits.toString(2)].flatMap((bit, n, { length }) => (bit === '1' ? group * GROUP + length - 1 - n : []));
