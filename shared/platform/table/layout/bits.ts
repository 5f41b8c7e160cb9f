import type { Row } from './keys.ts';
import { GROUP, groupsIn, ITEM_NUMBERS } from './positions.ts';

/** The records of a collection with some property: group of 120 ordinals -> a bit of each. */
export type Bits = Map<number, bigint>;

/** The records in one of these rows of marks, or of masks with so many ordinals in a block. */
export function bitsIn(rows: readonly Row[], blockOf: (row: Row) => number, span?: number): Bits {
  const bits: Bits = new Map();
  for (const row of rows)
    for (const { group, value } of groupsIn(blockOf(row), row, span)) bits.set(group, (bits.get(group) ?? 0n) | value);
  return bits;
}

/** The blocks of marks that have one of the records, from the first. */
export const blocksIn = (bits: Bits): number[] =>
  [...new Set(bits.keys().map((group) => Math.floor(group / ITEM_NUMBERS)))].sort((a, b) => a - b);

/** The records at these ordinals. */
export function bitsAt(ordinals: readonly number[]): Bits {
  const bits: Bits = new Map();
  for (const ordinal of ordinals) {
    const group = Math.floor(ordinal / GROUP);
    bits.set(group, (bits.get(group) ?? 0n) | (1n << BigInt(ordinal % GROUP)));
  }
  return bits;
}

export function both(a: Bits, b: Bits): Bits {
  const common: Bits = new Map();
  for (const [group, bits] of a) {
    const shared = bits & (b.get(group) ?? 0n);
    if (shared !== 0n) common.set(group, shared);
  }
  return common;
}

export const hasOrdinal = (bits: Bits, ordinal: number): boolean =>
  (((bits.get(Math.floor(ordinal / GROUP)) ?? 0n) >> BigInt(ordinal % GROUP)) & 1n) === 1n;

/** The records in one of the sets. */
export function anyOf(sets: readonly Bits[]): Bits {
  const [first = new Map(), ...others] = sets;
  if (others.length === 0) return first;
  const all: Bits = new Map(first);
  for (const other of others) for (const [group, bits] of other) all.set(group, (all.get(group) ?? 0n) | bits);
  return all;
}

/** The records of the first that the second lacks. */
export function without(a: Bits, b: Bits): Bits {
  const left: Bits = new Map();
  for (const [group, bits] of a) {
    const rest = bits & ~(b.get(group) ?? 0n);
    if (rest !== 0n) left.set(group, rest);
  }
  return left;
}

export const countOf = (bits: Bits): number => bits.values().reduce((sum, group) => sum + onesIn(group), 0);

export function onesIn(bits: bigint): number {
  let count = 0;
  for (const digit of bits.toString(32)) count += ONES_OF[digit] ?? 0;
  return count;
}

/** The bits of each digit to the base 32. */
const ONES_OF: Readonly<Record<string, number>> = Object.fromEntries(
  Array.from({ length: 32 }, (_, digit) => [digit.toString(32), digit.toString(2).replaceAll('0', '').length]),
);

/** Ordinals from the highest, without the first `from`, until at least `size` are found. */
export function newestOf(bits: Bits, { from = 0, size = Infinity }: { from?: number; size?: number } = {}): number[] {
  const ordinals: number[] = [];
  let seen = 0;
  for (const group of [...bits.keys()].sort((a, b) => b - a)) {
    const here = bits.get(group) ?? 0n;
    const count = onesIn(here);
    if (seen + count > from) ordinals.push(...ordinalsOf(group, here).slice(Math.max(0, from - seen)));
    seen += count;
    if (ordinals.length >= size) break;
  }
  return ordinals.slice(0, size);
}

/** Highest first. */
const ordinalsOf = (group: number, bits: bigint): number[] =>
  [...bits.toString(2)].flatMap((bit, n, { length }) => (bit === '1' ? group * GROUP + length - 1 - n : []));
