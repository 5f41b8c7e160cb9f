import { type DigitRow, WORD_BITS } from './digits.ts';

/**
 * Finds the n-th record of a list without reading n records.
 *
 * Every record has an ordinal. A list (all records of a collection, or those of one parent) keeps one row of bit masks
 * per block of ordinals. DynamoDB adds numbers exactly to 38 digits, so one number holds a bit of 120 ordinals: adding
 * 2^k sets a bit, subtracting 2^k clears it. The values of a record's dimensions (status, severity ...) are a small
 * code, the *cell*. Plane p holds bit p of the cell of each ordinal. Cell 0 means that the list has no such record, so
 * every combination of values can be read from the same planes.
 *
 * A page row counts the records of each cell in each block: several counts share one number, each with its own digits.
 *
 * The layout follows only from the number of planes. A record's contribution has that number, so that a release can
 * remove a record from a list that it does not declare.
 */
export const GROUP = 120;
export const ITEM_NUMBERS = 36; // 36 numbers of 37 digits and their names stay under 1 KB, one write unit
const NUMBER_DIGITS = 36;

export type Dimensions = Readonly<Record<string, readonly string[]>>;
export type Layout = {
  planes: number;
  /** Ordinals per block; a block is one mask row. */
  span: number;
  /** Decimal digits of a count, counts per number, and blocks per page row. */
  digits: number;
  perNumber: number;
  pageBlocks: number;
};
export type Shape = Layout & {
  dimensions: { name: string; values: readonly string[]; shift: number; bits: number }[];
};

export function layoutOf(planes: number): Layout {
  const span = Math.max(1, Math.floor(ITEM_NUMBERS / planes)) * GROUP;
  const digits = String(span).length;
  const perNumber = Math.floor(NUMBER_DIGITS / digits);
  const cells = 2 ** planes - 1;
  return { planes, span, digits, perNumber, pageBlocks: perNumber * Math.max(1, Math.floor(ITEM_NUMBERS / cells)) };
}

/** The layout that follows from a list's dimensions. */
export function shapeOf(dimensions: Dimensions = {}): Shape {
  let shift = 0;
  const laid = Object.entries(dimensions).map(([name, values]) => {
    const bits = Math.ceil(Math.log2(values.length + 1));
    const dimension = { name, values, shift, bits };
    shift += bits;
    return dimension;
  });
  return { dimensions: laid, ...layoutOf(Math.max(1, shift)) };
}

/**
 * The cell of a record with these values. An unknown value is an error of the program, not of a caller. Only where a dimension is
 * full, a later value has the code 0 in it: marks find it, and another dimension must place the record.
 */
export function cellOf(shape: Shape, values: Readonly<Record<string, unknown>>): number {
  if (shape.dimensions.length === 0) return 1;
  const cell = shape.dimensions.reduce((sum, { name, values: known, shift, bits }) => {
    const index = known.indexOf(String(values[name]));
    if (index < 0 && known.length < 2 ** bits - 1)
      throw new Error(`dimension ${name} has no value ${String(values[name])}`);
    return sum | ((index + 1) << shift);
  }, 0);
  if (cell === 0) throw new Error('no dimension places the record');
  return cell;
}

/** True if a record in this cell matches a filter such as `{status: 'open'}`. */
export const cellMatches = (shape: Shape, cell: number, filter: Readonly<Record<string, string>>): boolean =>
  shape.dimensions.every(({ name, values, shift, bits }) => {
    const wanted = filter[name];
    return wanted === undefined || ((cell >> shift) & ((1 << bits) - 1)) === values.indexOf(wanted) + 1;
  });

export const blockOf = (layout: Layout, ordinal: number): number => Math.floor(ordinal / layout.span);
export const pageOf = (layout: Layout, block: number): number => Math.floor(block / layout.pageBlocks);

/** The cell that a record leaves and the cell that it enters. */
export type CellChange = readonly [before: number, after: number];

/** The bit of each place in a group. */
const BITS = Array.from({ length: GROUP }, (_, place) => 1n << BigInt(place));

/** The change of a block's mask row when the cell of one ordinal changes. */
export function maskChange(layout: Layout, ordinal: number, [before, after]: CellChange): Record<string, bigint> {
  const within = ordinal % layout.span;
  const bit = BITS[within % GROUP] ?? 0n;
  const change: Record<string, bigint> = {};
  for (let plane = 0; plane < layout.planes; plane++) {
    const difference = ((after >> plane) & 1) - ((before >> plane) & 1);
    if (difference !== 0) change[maskName(layout, plane, Math.floor(within / GROUP))] = BigInt(difference) * bit;
  }
  return change;
}

/** A record's bit in the rows of its marks, and the name of the number with this bit. */
export function markBit(ordinal: number): { name: string; bit: bigint } {
  const within = ordinal % (ITEM_NUMBERS * GROUP);
  return { name: MARK_NAMES[Math.floor(within / GROUP)] ?? '', bit: BITS[within % GROUP] ?? 0n };
}

/** The change of the page row when a record of `block` leaves one cell for another. */
export function pageChange(layout: Layout, block: number, [before, after]: CellChange): Record<string, bigint> {
  const change: Record<string, bigint> = {};
  if (before === after) return change;
  const slot = block % layout.pageBlocks;
  const number = Math.floor(slot / layout.perNumber);
  const one = 10n ** BigInt((slot % layout.perNumber) * layout.digits);
  if (before !== 0) change[countName(before, number)] = -one;
  if (after !== 0) change[countName(after, number)] = one;
  return change;
}

/** The approximate size of the mask row of a block with this many records. */
export const maskBytes = ({ planes, span }: Layout, records: number): number =>
  100 + 22 * planes * Math.min(records, span / GROUP);

/** Reads a mask row: the ordinals of its block whose cell `matches`, newest (highest) first. */
export function readMask(layout: Layout, block: number, row: DigitRow, matches: (cell: number) => boolean): number[] {
  const { words } = row;
  const length = layout.span / WORD_BITS;
  const found: number[] = [];
  const all = layout.planes * length;
  for (let word = length - 1; word >= 0; word--) {
    let left = 0;
    for (let at = word; at < all; at += length) left |= words[at] ?? 0;
    while (left !== 0) {
      const bit = 31 - Math.clz32(left);
      left ^= 1 << bit;
      let cell = 0;
      for (let plane = 0; plane < layout.planes; plane++)
        cell |= (((words[plane * length + word] ?? 0) >> bit) & 1) << plane;
      if (matches(cell)) found.push(block * layout.span + word * WORD_BITS + bit);
    }
  }
  return found;
}

const maskName = (layout: Layout, plane: number, group: number): string =>
  `m${((plane * layout.span) / GROUP + group).toString(36)}`;
const MARK_NAMES = Array.from({ length: ITEM_NUMBERS }, (_, group) => maskName(layoutOf(1), 0, group));
const countName = (cell: number, number: number): string => `n${cell.toString(36)}_${number}`;
