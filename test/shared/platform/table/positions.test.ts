import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { typed } from '#shared/platform/table/io/typed.ts';
import { addCounts, type DigitRow, digitRows } from '#shared/platform/table/layout/digits.ts';
import {
  blockOf,
  cellMatches,
  cellOf,
  layoutOf,
  markBit,
  maskChange,
  pageChange,
  pageOf,
  readMask,
  type Shape,
  shapeOf,
} from '#shared/platform/table/layout/positions.ts';

const values = (n: number) => Array.from({ length: n }, (_, i) => `v${i}`);
const shapes = fc
  .array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 })
  .map((sizes) => shapeOf(Object.fromEntries(sizes.map((size, n) => [`d${n}`, values(size)]))));

/** A record that is put somewhere, moved to other cells, and perhaps taken out again. */
const moves = fc.array(
  fc.record({ ordinal: fc.nat(400_000), picks: fc.array(fc.nat(), { maxLength: 3 }), gone: fc.boolean() }),
  {
    maxLength: 60,
  },
);

const valuesOf = (shape: Shape, pick: number) =>
  Object.fromEntries(shape.dimensions.map(({ name, values: known }, n) => [name, known[(pick >> n) % known.length]]));

/** Adds up changes as DynamoDB's ADD does; attributes at zero stay. */
class Rows {
  readonly rows = new Map<number, Record<string, bigint>>();
  add(row: number, change: Record<string, bigint>): void {
    const attributes = this.rows.get(row) ?? {};
    for (const [name, amount] of Object.entries(change)) attributes[name] = (attributes[name] ?? 0n) + amount;
    this.rows.set(row, attributes);
  }
}

/** A row as the table sends it. */
const read = (attributes: Record<string, bigint>): DigitRow =>
  digitRows(Buffer.from(JSON.stringify([typed(attributes)])))[0] ?? {
    sk: '',
    words: [],
    bytes: Buffer.of(),
    places: [],
  };

function countsOf(shape: Shape, page: number, attributes: Record<string, bigint>) {
  const cells = new Map<number, number[]>();
  addCounts(read(attributes), shape, (cell) => {
    const counts = cells.get(cell) ?? [];
    cells.set(cell, counts);
    return counts;
  });
  return [...cells].flatMap(([cell, counts]) =>
    counts.flatMap((count = 0, n) => (count > 0 ? [{ block: page * shape.pageBlocks + n, cell, count }] : [])),
  );
}

test('a list finds every record in its cell and in no other, whatever changes around it', () => {
  fc.assert(
    fc.property(shapes, moves, fc.nat(), (shape, all, pick) => {
      const masks = new Rows();
      const pages = new Rows();
      const cells = new Map<number, number>();
      for (const { ordinal, picks, gone } of all) {
        const to = [...picks.map((one) => cellOf(shape, valuesOf(shape, one))), ...(gone ? [0] : [])];
        for (const cell of to) {
          const move = [cells.get(ordinal) ?? 0, cell] as const;
          masks.add(blockOf(shape, ordinal), maskChange(shape, ordinal, move));
          const block = blockOf(shape, ordinal);
          pages.add(pageOf(shape, block), pageChange(shape, block, move));
          cells.set(ordinal, cell);
        }
      }
      const filter = Object.fromEntries(Object.entries(valuesOf(shape, pick)).slice(0, pick % 4)) as Record<
        string,
        string
      >;
      const matches = (cell: number) => cellMatches(shape, cell, filter);
      const current = [...cells].filter(([, cell]) => cell !== 0 && matches(cell)).map(([ordinal]) => ordinal);
      const found = [...masks.rows].flatMap(([block, row]) => readMask(shape, block, read(row), matches));
      expect(found.toSorted((a, b) => a - b)).toEqual(current.toSorted((a, b) => a - b));
      const counts = [...pages.rows].flatMap(([page, row]) => countsOf(shape, page, row));
      const perBlock = new Map<number, number>();
      for (const { block, cell, count } of counts)
        if (matches(cell)) perBlock.set(block, (perBlock.get(block) ?? 0) + count);
      const expected = new Map<number, number>();
      for (const ordinal of current)
        expected.set(blockOf(shape, ordinal), (expected.get(blockOf(shape, ordinal)) ?? 0) + 1);
      expect([...perBlock].toSorted()).toEqual([...expected].toSorted());
    }),
    { numRuns: 300 },
  );
});

test('what earlier releases stored is read where they stored it: the layouts of rows are those of before', () => {
  const layouts = [1, 2, 5, 6, 40].map((planes) => {
    const { span, digits, perNumber, pageBlocks } = layoutOf(planes);
    return [span, digits, perNumber, pageBlocks];
  });
  expect(layouts).toEqual([
    [4320, 4, 9, 324],
    [2160, 4, 9, 108],
    [840, 3, 12, 12],
    [720, 3, 12, 12],
    [120, 3, 12, 12],
  ]);
  expect(maskChange(layoutOf(2), 2159, [0, 3])).toEqual({ mh: 2n ** 119n, mz: 2n ** 119n });
  expect(maskChange(layoutOf(2), 2160 + 121, [2, 1])).toEqual({ m1: 2n, mj: -2n });
  expect(pageChange(layoutOf(2), 108 + 10, [1, 2])).toEqual({ n1_1: -(10n ** 4n), n2_1: 10n ** 4n });
  expect(pageChange(layoutOf(6), 11, [0, 40])).toEqual({ n14_0: 10n ** 33n });
  expect([markBit(4319), markBit(4320 + 125)]).toEqual([
    { name: 'mz', bit: 2n ** 119n },
    { name: 'm1', bit: 2n ** 5n },
  ]);
});

test('a full block costs one write unit to change, and its count does not run into the next count', () => {
  for (const shape of [shapeOf(), shapeOf({ a: values(5), b: values(5) }), shapeOf({ a: values(3) })]) {
    const masks = new Rows();
    const pages = new Rows();
    const cell = shape.dimensions.length === 0 ? 1 : cellOf(shape, valuesOf(shape, 0));
    for (let ordinal = 0; ordinal < 2 * shape.span; ordinal++) {
      const block = blockOf(shape, ordinal);
      masks.add(block, maskChange(shape, ordinal, [0, cell]));
      pages.add(pageOf(shape, block), pageChange(shape, block, [0, cell]));
    }
    expect(countsOf(shape, 0, pages.rows.get(0) ?? {})).toEqual([
      { block: 0, cell, count: shape.span },
      { block: 1, cell, count: shape.span },
    ]);
    for (const row of [...masks.rows.values(), ...pages.rows.values()]) expect(bytesOf(row)).toBeLessThan(900);
  }
});

test('a page row with every cell of every block stays under one write unit for 25 combinations', () => {
  const shape = shapeOf({ a: values(5), b: values(5) });
  const pages = new Rows();
  for (let block = 0; block < shape.pageBlocks; block++)
    for (let a = 0; a < 5; a++)
      for (let b = 0; b < 5; b++)
        pages.add(0, pageChange(shape, block, [0, cellOf(shape, { a: `v${a}`, b: `v${b}` })]));
  expect(bytesOf(pages.rows.get(0) ?? {})).toBeLessThan(900);
});

/** The size by DynamoDB's rules: the name, a byte for each two digits, and one byte more. */
const bytesOf = (row: Record<string, bigint>): number =>
  Object.entries(row).reduce((sum, [name, value]) => sum + name.length + Math.ceil(String(value).length / 2) + 1, 0);
