import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryDigits } from '#shared/platform/table/io/read.ts';
import { bitsIn, newestOf } from '#shared/platform/table/layout/bits.ts';
import { addCounts, takeRows } from '#shared/platform/table/layout/digits.ts';
import { shapeOf } from '#shared/platform/table/layout/positions.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { draft, ticketsWith } from './models.ts';

const store = useStore();
const tickets = ticketsWith('digits');

const masks = fc.dictionary(fc.constantFrom('m0', 'm5', 'mz'), fc.bigInt({ min: -5n, max: 2n ** 120n - 1n }), {
  noNullPrototype: true,
});
/** Forms of a number that DynamoDB takes for the same. */
const forms = fc.constantFrom(
  (value: bigint) => String(value),
  (value: bigint) => String(value).replace(/0+$/, (zeros) => (zeros === '0' ? '0' : `E+${zeros.length}`)),
);
const others = fc.dictionary(
  fc.constantFrom('pk', 'ttl', 'm', 'mm5', 'x"m5', 'é'),
  fc.constantFrom<unknown>(
    { S: 'a "quoted" \\ {[é]} text' },
    { N: '12' },
    { B: 'AA==' },
    { M: { m5: { N: '3' } } },
    { L: [{ N: '1' }] },
  ),
  { noNullPrototype: true },
);
const rows = fc.array(
  fc.record({ sk: fc.constantFrom('0000001', 'é "\\ 0000002', 'Items }'), masks, others, form: forms }),
);
const indents = fc.constantFrom(0, 2);

test('an answer of the table says the same records, however it is written', () => {
  fc.assert(
    fc.property(rows, indents, (all, indent) => {
      const Items = all.map(({ sk, masks, others, form }) => ({
        ...others,
        sk: { S: sk },
        ...Object.fromEntries(Object.entries(masks).map(([name, value]) => [name, { N: form(value) }])),
      }));
      const around = { Count: all.length, ConsumedCapacity: { Table: '"Items":[', Units: [0.5] } };
      const LastEvaluatedKey = { pk: { S: 'Items' }, sk: { S: '}' } };
      const answer = JSON.stringify({ ...around, Items, LastEvaluatedKey }, undefined, indent);
      const { rows: found, rest } = takeRows(Buffer.from(answer));
      expect(JSON.parse(String(rest))).toEqual({ ...around, Items: [], LastEvaluatedKey });
      expect(found.map(({ sk }) => sk)).toEqual(all.map(({ sk }) => sk));
      for (const [n, { masks }] of all.entries()) {
        const expected = Object.entries(masks).flatMap(([name, value]) =>
          ordinalsOf(Number.parseInt(name.slice(1), 36), value),
        );
        expect(newestOf(bitsIn(found.slice(n, n + 1), () => 0))).toEqual(expected.sort((a, b) => b - a));
      }
    }),
  );
});

/** Numbers below zero, which a row has while its changes are added, are no records. */
const ordinalsOf = (group: number, value: bigint): number[] =>
  Array.from({ length: 120 }, (_, bit) => bit).flatMap((bit) =>
    value > 0n && (value >> BigInt(bit)) & 1n ? [group * 120 + bit] : [],
  );

test('an answer without rows has none', () => {
  for (const answer of ['{}', '', '{"Count":0,"Items":[]}', '{"message":"no"}'])
    expect(takeRows(Buffer.from(answer)).rows).toEqual([]);
});

test('counts are read from their digits, and in another form too', () => {
  const shape = shapeOf();
  const read = (n: string) => {
    const counts: number[] = [];
    const [row] = takeRows(Buffer.from(JSON.stringify({ Items: [{ sk: { S: 'p0000000' }, n1_1: { N: n } }] }))).rows;
    if (row) addCounts(row, shape, (cell) => (cell === 1 ? counts : []));
    return counts.slice(shape.perNumber);
  };
  expect(read('43200001')).toEqual([1, 4320]);
  expect(read('12E+4')).toEqual([0, 12]);
  expect(read('-1')).toEqual([0]);
});

/** A connection whose requests go through the whole client, as in the cloud; those of other tests go a shorter way. */
function wholeClient() {
  const dynamo = store.connect();
  dynamo.client.middlewareStack.add((next) => (args) => next(args), { step: 'build', name: 'none' });
  return dynamo;
}

test('rows that are taken from the answer of the client give the same page, units and errors', async () => {
  const table = newOrganization(store.dynamo);
  for (const points of [1, 2, 2]) await table.create(tickets, draft({ points, zone: 'north' }));
  const page = async (dynamo = store.dynamo) => {
    const meter = attachMeter(dynamo);
    const range = { paginateFrom: 0, paginateSize: 10 };
    const read = openTable(dynamo, table.organizationId);
    const pages: unknown[] = [];
    const use = await meter.measure(async () => {
      for (const query of [
        { filter: { status: 'open' } },
        { where: { points: '2' }, search: 'pump' },
        { sort: 'points' },
      ])
        pages.push(await read.list(tickets, { ...query, ...range }));
    });
    return { pages, use };
  };
  const found = await page(wholeClient());
  expect(found).toEqual(await page(store.connect()));
  expect(found.pages).toMatchObject([{ totalCount: 3 }, { totalCount: 2 }, { totalCount: 3 }]);
  const elsewhere = { ...wholeClient(), tableName: 'nowhere' };
  const range = { pk: 'x', all: true as const };
  await expect(queryDigits(elsewhere, range)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});
