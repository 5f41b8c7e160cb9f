import type { Dynamo } from '../runtime/dynamo.ts';
import { invalid } from '../runtime/errors.ts';
import type { Entity } from './entity.ts';
import { queryDigits, type Range } from './io/read.ts';
import { anyOf, type Bits, bitsIn, bitsOfMasks, blocksIn, inEach, without } from './layout/bits.ts';
import { blockIn, blockOfMark, blockOfOrder, inBlocks, type Keys, keysOf } from './layout/keys.ts';
import { NO_VALUE, valueMark } from './layout/marks.ts';

/** Declared values, places in orders and words, in any combination of at most 32 levels. An empty `all` is everything. */
export type Marked = 'everything' | Part | { all: readonly Marked[] } | { any: readonly Marked[] } | { not: Marked };

type Part =
  /** One of these values of a name; null: the record has none. */
  { name: string; values: readonly (string | null)[] } | Limited;

type Limited =
  /** A place in a declared order, both ends included; `to` also includes the places that begin so. */
  | { order: string; from?: string | undefined; to?: string | undefined }
  /** A word of the record, or the beginning of one, in the form that `wantedWords` gives. */
  | { word: string; exact: boolean };

const MAX_DEPTH = 32;

/** Rows that one word or range may bring, each of 4,320 records or less: 125 read units at most. */
const MAX_ROWS = 1000;

type Place = {
  dynamo: Dynamo;
  tenant: string;
  entity: Pick<Entity, 'name' | 'shards' | 'broad' | 'main'>;
  /** For records that will change: a write of a moment ago counts. */
  consistent?: boolean | undefined;
};
/** `complete`: false if a word or a range has more rows than are read, so that some records may be missing. */
type Found = { bits: Bits; complete: boolean };
/** `isRest`: all records of the collection but these. */
type Picked = { bits: Bits; isRest: boolean };

/** The records that fit, where more than a page and their number is wanted. @throws as `pickBits` does */
export async function combinedBits(place: Place, marked: Marked): Promise<Bits> {
  const { isRest, picked } = pickBits(place, marked);
  const [every, { bits }] = await Promise.all([isRest && everyBit(place), picked]);
  return every ? without(every, bits) : bits;
}

/** All records of the collection. */
export async function everyBit({ dynamo, tenant, entity, consistent }: Place): Promise<Bits> {
  const rows = await queryDigits(dynamo, { ...keysOf(tenant, entity).everyMask, consistent });
  return bitsOfMasks(entity.main, rows, ({ sk }) => blockIn(sk));
}

/**
 * The records that fit. Each row is read once, in two round trips at most: narrow values, words and ranges; then broad
 * values, only in the blocks that the narrow ones leave. What nothing narrows is read in the first round trip.
 * @throws validation_failed for an excluded word or range that has more rows than are read
 */
export function pickBits(place: Place, marked: Marked): { isRest: boolean; picked: Promise<Found> } {
  if (isDeeper(marked, MAX_DEPTH)) throw invalid('filter', `must have at most ${MAX_DEPTH} levels`);
  return { isRest: isRest(marked), picked: pickedBits(place, marked) };
}

async function pickedBits(place: Place, marked: Marked): Promise<Found> {
  const keys = keysOf(place.tenant, place.entity);
  const known = new Map<string, Promise<Found>>();
  const isBroad = (part: Part) => 'name' in part && place.entity.broad.includes(part.name);
  let limit: { runs: Promise<Run[]> | undefined } | undefined;
  const runsOfBound = () => {
    limit ??= { runs: boundOf(marked, (part) => (isBroad(part) ? undefined : bitsOf(part)))?.then(runsIn) };
    return limit.runs;
  };
  const find = (part: Part, range: Range): Promise<Found> => {
    const id = JSON.stringify(range);
    const found = known.get(id) ?? readPart(place, { part, range, runs: isBroad(part) ? runsOfBound() : undefined });
    known.set(id, found);
    return found;
  };
  const bitsOf = async (part: Part, isExcluded = false): Promise<Bits> => {
    const found = await Promise.all(rangesOf(keys, part).map((range) => find(part, range)));
    if (isExcluded && isLimited(part) && found.some(({ complete }) => !complete)) throw tooMany(part);
    return anyOf(found.map(({ bits }) => bits));
  };
  const { bits } = await combine(marked, bitsOf);
  const found = await Promise.all(known.values());
  return { bits, complete: found.every(({ complete }) => complete) };
}

function isDeeper(marked: Marked, levels: number): boolean {
  if (marked === 'everything' || !('all' in marked || 'any' in marked || 'not' in marked)) return false;
  const parts = 'all' in marked ? marked.all : 'any' in marked ? marked.any : [marked.not];
  return levels === 0 || parts.some((part) => isDeeper(part, levels - 1));
}

type BitsOf = (part: Part, isExcluded?: boolean) => Promise<Bits>;

async function combine(marked: Marked, bitsOf: BitsOf, isExcluded = false): Promise<Picked> {
  if (marked === 'everything') return inAll([]);
  if ('not' in marked) return othersThan(await combine(marked.not, bitsOf, true));
  if ('all' in marked) return inAll(await Promise.all(marked.all.map((part) => combine(part, bitsOf, isExcluded))));
  if (!('any' in marked)) return { bits: await bitsOf(marked, isExcluded), isRest: false };
  const parts = await Promise.all(marked.any.map((part) => combine(part, bitsOf, isExcluded)));
  return othersThan(inAll(parts.map(othersThan)));
}

const othersThan = ({ bits, isRest }: Picked): Picked => ({ bits, isRest: !isRest });

function inAll(parts: readonly Picked[]): Picked {
  const excluded = anyOf(parts.flatMap(({ bits, isRest }) => (isRest ? [bits] : [])));
  const wanted = parts.flatMap(({ bits, isRest }) => (isRest ? [] : [bits]));
  return wanted.length > 0 ? { bits: inEach(wanted, excluded), isRest: false } : { bits: excluded, isRest: true };
}

/** Whether the records that fit follow only from those that do not, so that they are all records but these. */
function isRest(marked: Marked): boolean {
  if (marked === 'everything') return true;
  if ('not' in marked) return !isRest(marked.not);
  if ('all' in marked) return marked.all.every(isRest);
  return 'any' in marked && marked.any.some(isRest);
}

/** The records outside of which none fits, by the parts of which bits are known; undefined: any record may fit. */
function boundOf(marked: Marked, bitsOf: (part: Part) => Promise<Bits> | undefined): Promise<Bits> | undefined {
  if (marked === 'everything' || 'not' in marked) return undefined;
  if (!('all' in marked || 'any' in marked)) return bitsOf(marked);
  const parts = 'all' in marked ? marked.all : marked.any;
  const bounds = parts.flatMap((part) => boundOf(part, bitsOf) ?? []);
  if ('any' in marked) return bounds.length < parts.length ? undefined : Promise.all(bounds).then(anyOf);
  return bounds.length === 0 ? undefined : Promise.all(bounds).then((sets) => inEach(sets));
}

/** The rows of a part; none for a range that ends before it begins, which DynamoDB refuses. */
function rangesOf(keys: Keys, part: Part): Range[] {
  if ('word' in part) return [{ ...keys.wordMarks(part), limit: MAX_ROWS }];
  if ('name' in part) return part.values.map((value) => keys.valueMarks(valueMark(part.name, value ?? NO_VALUE)));
  const range = keys.orderBetween(part.order, part);
  return range.from > range.to ? [] : [{ ...range, limit: MAX_ROWS }];
}

type Wanted = { part: Part; range: Range; runs: Promise<Run[]> | undefined };

/** @param runs the blocks that are read; undefined: all of them */
async function readPart({ dynamo, consistent }: Place, { part, range, runs }: Wanted): Promise<Found> {
  const ranges = (await runs)?.map(({ first, last }) => ({ pk: range.pk, ...inBlocks(first, last) })) ?? [range];
  const rows = (await Promise.all(ranges.map((one) => queryDigits(dynamo, { ...one, consistent })))).flat();
  const complete = !isLimited(part) || rows.length < MAX_ROWS;
  return { bits: bitsIn(rows, 'order' in part ? blockOfOrder : blockOfMark), complete };
}

const isLimited = (part: Part): part is Limited => !('name' in part);

const tooMany = (part: Limited) =>
  invalid(
    'filter',
    `must not exclude ${'word' in part ? JSON.stringify(part.word) : part.order}: it has more rows than are read; exclude less of it`,
  );

/** Blocks from the first to the last; between two runs are more blocks than are worth reading. */
type Run = { first: number; last: number };

/** A row is 0.86 KB at most and the least that a read costs is 4 KB, so that few rows are cheaper to read than to leave out. */
const NEAR = 3;
/** Queries that go beside each other for one value. */
const MAX_RUNS = 16;

const runsIn = (bits: Bits): Run[] => runsOf(blocksIn(bits));

/** The blocks, from the first, in few runs. */
export function runsOf(blocks: readonly number[], near = NEAR): Run[] {
  const runs: Run[] = [];
  for (const block of blocks) {
    const run = runs.at(-1);
    if (run && block - run.last <= near + 1) run.last = block;
    else runs.push({ first: block, last: block });
  }
  return runs.length <= MAX_RUNS ? runs : runsOf(blocks, 2 * near);
}
