import type { Dynamo } from '../runtime/dynamo.ts';
import { invalid } from '../runtime/errors.ts';
import type { Entity } from './entity.ts';
import { queryRows, type Range } from './io/read.ts';
import { anyOf, type Bits, bitsIn, blocksIn, both, without } from './layout/bits.ts';
import { blockIn, blockOfMark, blockOfOrder, type Keys, keysOf, type Row } from './layout/keys.ts';
import { NO_VALUE, valueMark } from './layout/marks.ts';
import type { Layout } from './layout/positions.ts';

/** Declared values, places in orders and words, in any combination of at most 32 levels. An empty `all` is everything. */
export type Marked = Part | { all: readonly Marked[] } | { any: readonly Marked[] } | { not: Marked };

type Part =
  /** One of these values of a name; null: the record has none. */
  | { name: string; values: readonly (string | null)[] }
  /** A place in a declared order, both ends included; `to` also includes the places that begin so. */
  | { order: string; from?: string | undefined; to?: string | undefined }
  /** A word of the record, or the beginning of one, in the form that `wantedWords` gives. */
  | { word: string; exact: boolean }
  | 'everything';

const MAX_DEPTH = 32;

/** Rows that one word or range may bring, each of 4,320 records or less: 125 read units at most. */
const MAX_ROWS = 1000;

const TOO_MANY = 'of which there are more than are read: exclude a longer word or a shorter range';

type Place = {
  dynamo: Dynamo;
  tenant: string;
  entity: Pick<Entity, 'name' | 'shards' | 'broad' | 'main'>;
  /** For records that will change: a write of a moment ago counts. */
  consistent?: boolean | undefined;
};
/** `complete`: false if a word or a range has more rows than are read, so that some records may be missing. */
type Found = { bits: Bits; complete: boolean };

const NONE: Bits = new Map();
const NOTHING: Found = { bits: NONE, complete: true };

/**
 * The records that fit. Each row is read once, in two round trips at most: first narrow values, words and ranges, and
 * whatever nothing narrows; then broad values, only in the blocks that the narrow ones beside them leave.
 * @throws validation_failed for an excluded word or range that has more rows than are read
 */
export async function combinedBits(place: Place, marked: Marked): Promise<Found> {
  if (isDeeper(marked, MAX_DEPTH)) throw invalid('filter', `must have at most ${MAX_DEPTH} levels`);
  const { entity } = place;
  const keys = keysOf(place.tenant, entity);
  const known = new Map<string, Found>();
  const sourcesOf = (part: Part) => sourcesIn(keys, entity.main, part);
  const foundOf = (part: Part) => sourcesOf(part).map(({ id }) => known.get(id) ?? NOTHING);
  const bitsOf = (part: Part) => anyOf(foundOf(part).map(({ bits }) => bits));
  const isBroad = (part: Part) => part === 'everything' || ('name' in part && entity.broad.includes(part.name));
  const boundOf = (part: Part) => (isBroad(part) ? undefined : bitsOf(part));
  const walk = (visit: Visit) => combine(marked, { visit, boundOf }, ANYWHERE);
  const readAll = async (wanted: ReadonlyMap<string, Wanted>) => {
    const read = async ([id, one]: [string, Wanted]) => known.set(id, await readSource(place, one));
    await Promise.all([...wanted].map(read));
  };

  const first = new Map<string, Wanted>();
  walk((part, { within }) => {
    if (!isBroad(part) || !within) for (const source of sourcesOf(part)) first.set(source.id, { source });
    return NONE;
  });
  await readAll(first);

  const later = new Map<string, Required<Wanted>>();
  walk((part, { within = NONE }) => {
    for (const source of sourcesOf(part).filter(({ id }) => !known.has(id))) {
      const blocks = later.get(source.id)?.blocks ?? [];
      later.set(source.id, { source, blocks: new Set([...blocks, ...blocksIn(within)]) });
    }
    return NONE;
  });
  await readAll(later);

  const bits = walk((part, { isExcluded }) => {
    const cut = isExcluded && sourcesOf(part).find(({ id }) => known.get(id)?.complete === false);
    if (cut) throw invalid('filter', `must not exclude ${cut.name}, ${TOO_MANY}`);
    return bitsOf(part);
  });
  return { bits, complete: known.values().every(({ complete }) => complete) };
}

function isDeeper(marked: Marked, levels: number): boolean {
  if (marked === 'everything' || !('all' in marked || 'any' in marked || 'not' in marked)) return false;
  const parts = 'all' in marked ? marked.all : 'any' in marked ? marked.any : [marked.not];
  return levels === 0 || parts.some((part) => isDeeper(part, levels - 1));
}

type Scope = {
  /** No other records count; undefined: any record may count. */
  within?: Bits;
  /** The records of which `everything` and `not` are a part; undefined: all of the collection. */
  among?: Bits;
  isExcluded?: boolean;
};
const ANYWHERE: Scope = {};

type Visit = (part: Part, scope: Scope) => Bits;
/** `boundOf`: the records outside of which no record fits, where that is known before broad values are read. */
type Reading = { visit: Visit; boundOf: (part: Part) => Bits | undefined };

/** The records that fit, among others that are not `within` and `among` the records of the scope. */
function combine(marked: Marked, reading: Reading, scope: Scope): Bits {
  if (marked === 'everything') return scope.among ?? reading.visit(marked, scope);
  if ('not' in marked) {
    const excluded = combine(marked.not, reading, { ...scope, isExcluded: true });
    return without(combine('everything', reading, scope), excluded);
  }
  if ('any' in marked) return anyOf(marked.any.map((part) => combine(part, reading, scope)));
  if (!('all' in marked)) return reading.visit(marked, scope);
  const bound = boundIn(marked, reading);
  const within = bound && scope.within ? both(bound, scope.within) : (bound ?? scope.within);
  let { among } = scope;
  for (const part of marked.all.toSorted((a, b) => Number(asksForAll(a)) - Number(asksForAll(b)))) {
    const bits = combine(part, reading, { ...scope, within, among });
    among = among ? both(among, bits) : bits;
  }
  return among ?? combine('everything', reading, scope);
}

function boundIn(marked: Marked, reading: Reading): Bits | undefined {
  if (marked === 'everything' || 'not' in marked) return undefined;
  const boundsOf = (parts: readonly Marked[]) => parts.map((part) => boundIn(part, reading));
  const isKnown = (bound: Bits | undefined) => bound !== undefined;
  if ('all' in marked) {
    const [first, ...others] = boundsOf(marked.all).filter(isKnown);
    return first && others.reduce(both, first);
  }
  if (!('any' in marked)) return reading.boundOf(marked);
  const bounds = boundsOf(marked.any);
  return bounds.every(isKnown) ? anyOf(bounds) : undefined;
}

/** Whether the records that fit follow only from those that do not. */
function asksForAll(marked: Marked): boolean {
  if (marked === 'everything' || 'not' in marked) return true;
  if ('all' in marked) return marked.all.every(asksForAll);
  return 'any' in marked && marked.any.some(asksForAll);
}

/** Rows of one value, range or word, or of all records. `inRun`: only the rows of some blocks. */
type Source = {
  id: string;
  range: Range;
  inRun?: (run: Run) => Range;
  blockOf: (row: Row) => number;
  /** The ordinals of a block, where the rows are no marks. */
  span?: number;
  /** The rows that the range limits, in the words of an answer. */
  name?: string;
};
type Wanted = { source: Source; blocks?: ReadonlySet<number> };

function sourcesIn(keys: Keys, { span }: Layout, part: Part): Source[] {
  const source = (range: Range, rest: Omit<Source, 'id' | 'range'>) => [{ id: JSON.stringify(range), range, ...rest }];
  if (part === 'everything') return source(keys.everyMask, { blockOf: ({ sk }) => blockIn(sk), span });
  if ('order' in part) {
    const range = { ...keys.orderBetween(part.order, part), limit: MAX_ROWS };
    if (range.from > range.to) return []; // DynamoDB refuses such a range
    return source(range, { blockOf: blockOfOrder, name: `this range of ${part.order}` });
  }
  if ('word' in part) {
    const name = `the words that begin with ${JSON.stringify(part.word)}`;
    return source({ ...keys.wordMarks(part), limit: MAX_ROWS }, { blockOf: blockOfMark, name });
  }
  const marks = new Set(part.values.map((value) => valueMark(part.name, value ?? NO_VALUE)));
  return [...marks].flatMap((mark) =>
    source(keys.valueMarks(mark), { inRun: (run) => keys.valueMarksIn(mark, run), blockOf: blockOfMark }),
  );
}

async function readSource({ dynamo, consistent }: Place, { source, blocks }: Wanted): Promise<Found> {
  const { range, inRun, blockOf, span } = source;
  const ranges = blocks && inRun ? runsOf([...blocks].sort((a, b) => a - b)).map(inRun) : [range];
  const found = await Promise.all(ranges.map((one) => queryRows(dynamo, { ...one, consistent })));
  const isWhole = ({ length }: readonly Row[]) => range.limit === undefined || length < range.limit;
  return { bits: bitsIn(found.flat(), blockOf, span), complete: found.every(isWhole) };
}

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
