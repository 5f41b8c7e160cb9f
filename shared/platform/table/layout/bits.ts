import { type DigitRow, WORD_BITS, WORDS } from './digits.ts';
import { ITEM_NUMBERS, type Layout } from './positions.ts';

/** The records of a collection with some property: block of 4,320 ordinals -> words with a bit of each, lowest first. */
export type Bits = Map<number, number[]>;

const BLOCK_WORDS = ITEM_NUMBERS * WORDS;
const BLOCK = BLOCK_WORDS * WORD_BITS;
/** On the heap, where a short array is a tenth of the cost of a typed one. */
const noWords = (): number[] => new Array<number>(BLOCK_WORDS).fill(0);

type Placed = Pick<DigitRow, 'sk'>;

/** The records in one of these rows of marks. */
export function bitsIn(rows: readonly DigitRow[], blockOf: (row: Placed) => number): Bits {
  const bits: Bits = new Map();
  for (const row of rows) {
    if (isEmpty(row.words)) continue;
    const block = blockOf(row);
    const known = bits.get(block);
    bits.set(block, known ? eitherOf(known, row.words) : row.words);
  }
  return bits;
}

/** The records in one of these rows of masks, whatever their cells are. */
export function bitsOfMasks(
  { span, planes }: Layout,
  rows: readonly DigitRow[],
  blockOf: (row: Placed) => number,
): Bits {
  const bits: Bits = new Map();
  const length = span / WORD_BITS;
  for (const row of rows) {
    const { words } = row;
    const first = blockOf(row) * length;
    for (let n = 0; n < planes * length; n++) addWord(bits, first + (n % length), words[n] ?? 0);
  }
  return bits;
}

function blockIn(bits: Bits, block: number): number[] {
  const known = bits.get(block);
  if (known) return known;
  const words = noWords();
  bits.set(block, words);
  return words;
}

function addWord(bits: Bits, word: number, value: number): void {
  if (value === 0) return;
  const words = blockIn(bits, Math.floor(word / BLOCK_WORDS));
  words[word % BLOCK_WORDS] = (words[word % BLOCK_WORDS] ?? 0) | value;
}

/** The bits of some ordinals, by the number of their word among those of all blocks. */
export const wordOf = (bits: Bits, word: number): number =>
  bits.get(Math.floor(word / BLOCK_WORDS))?.[word % BLOCK_WORDS] ?? 0;

/** The blocks of marks that have one of the records, from the first. */
export const blocksIn = (bits: Bits): number[] => [...bits.keys()].sort((a, b) => a - b);

/** The records at these ordinals. */
export function bitsAt(ordinals: readonly number[]): Bits {
  const bits: Bits = new Map();
  for (const ordinal of ordinals) addWord(bits, Math.floor(ordinal / WORD_BITS), 1 << (ordinal % WORD_BITS));
  return bits;
}

export const both = (a: Bits, b: Bits): Bits => inEach([a, b]);

/** The records of the first that the second lacks. */
export const without = (a: Bits, b: Bits): Bits => inEach([a], b);

/** The records in each of the sets that the excluded set lacks. */
export function inEach([first = new Map(), ...others]: readonly Bits[], excluded: Bits = new Map()): Bits {
  if (others.length === 0 && excluded.size === 0) return first;
  const found: Bits = new Map();
  for (const [block, words] of first) {
    const left = words.slice();
    for (const set of others) keep(left, set.get(block), 0);
    if (excluded.has(block)) keep(left, excluded.get(block), -1);
    if (!isEmpty(left)) found.set(block, left);
  }
  return found;
}

/** @param flipped the bits of the mask that count where they are not set */
function keep(words: number[], mask: readonly number[] = [], flipped: number): void {
  for (let n = 0; n < BLOCK_WORDS; n++) words[n] = (words[n] ?? 0) & ((mask[n] ?? 0) ^ flipped);
}

const isEmpty = (words: number[]): boolean => words.every((word) => word === 0);

export const hasOrdinal = (bits: Bits, ordinal: number): boolean =>
  (((bits.get(Math.floor(ordinal / BLOCK))?.[Math.floor((ordinal % BLOCK) / WORD_BITS)] ?? 0) >>
    (ordinal % WORD_BITS)) &
    1) ===
  1;

/** The records in one of the sets. */
export function anyOf(sets: readonly Bits[]): Bits {
  const [first = new Map(), ...others] = sets;
  if (others.length === 0) return first;
  const all: Bits = new Map(first);
  for (const other of others)
    for (const [block, words] of other) {
      const known = all.get(block);
      all.set(block, known ? eitherOf(known, words) : words);
    }
  return all;
}

const eitherOf = (a: readonly number[], b: readonly number[]): number[] => a.map((word, n) => word | (b[n] ?? 0));

export const countOf = (bits: Bits): number => bits.values().reduce((sum, words) => sum + onesIn(words), 0);

function onesIn(words: readonly number[]): number {
  let count = 0;
  for (const word of words) count += onesOf(word);
  return count;
}

/** https://graphics.stanford.edu/~seander/bithacks.html#CountBitsSetParallel */
export function onesOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The number of records in each block of so many ordinals. */
export function countsOf(bits: Bits, span: number): Map<number, number> {
  const counts = new Map<number, number>();
  const length = span / WORD_BITS;
  for (const [block, words] of bits)
    for (let n = 0; n < BLOCK_WORDS; n += WORDS) {
      const within = Math.floor((block * BLOCK_WORDS + n) / length);
      counts.set(within, (counts.get(within) ?? 0) + onesIn(words.slice(n, n + WORDS)));
    }
  return counts;
}

/** Ordinals from the highest, without the first `from`, until at least `size` are found. */
export function newestOf(bits: Bits, { from = 0, size = Infinity }: { from?: number; size?: number } = {}): number[] {
  const ordinals: number[] = [];
  let seen = 0;
  for (const block of blocksIn(bits).reverse()) {
    const words = bits.get(block) ?? [];
    const count = onesIn(words);
    if (seen + count > from) ordinals.push(...ordinalsOf(block, words).slice(Math.max(0, from - seen)));
    seen += count;
    if (ordinals.length >= size) break;
  }
  return ordinals.slice(0, size);
}

/** Highest first. */
function ordinalsOf(block: number, words: readonly number[]): number[] {
  const ordinals: number[] = [];
  for (let n = BLOCK_WORDS - 1; n >= 0; n--)
    for (let left = words[n] ?? 0; left !== 0; ) {
      const bit = 31 - Math.clz32(left);
      ordinals.push(block * BLOCK + n * WORD_BITS + bit);
      left ^= 1 << bit;
    }
  return ordinals;
}
