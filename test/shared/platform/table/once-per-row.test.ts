import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Write, writeRows } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '#shared/platform/table/io/row.ts';
import type { Key } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { dice, injectFaults } from '../../../support/faults.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';

const store = useStore();

type Counter = { name: string; n?: number; m?: number; text?: string };
const counters = defineRow<Counter, { name: string }>({
  name: 'counter',
  about: 'a row that several changes of a transaction meet',
  key: ({ name }) => [name],
});

const name = fc.constantFrom('a', 'b');
const change = fc.record({
  name,
  add: fc.dictionary(fc.constantFrom('n', 'm'), fc.integer({ min: -9, max: 9 }), { minKeys: 1, noNullPrototype: true }),
  text: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
});

test('changes of one row that meet in a transaction are all made, as if one came after the other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
      const table = newOrganization(store.dynamo);
      const batch = table.batch();
      const expected = new Map<string, Counter>();
      for (const { name, add, text } of changes) {
        batch.write({ change: rowKey(table.tenant, counters, { name }), set: { name, text }, add });
        const { text: _, ...row } = expected.get(name) ?? { name };
        for (const [field, n] of Object.entries(add)) Object.assign(row, { [field]: (row[field as 'n'] ?? 0) + n });
        expected.set(name, { ...row, ...(text && { text }) });
      }
      expect(batch.size()).toBe(expected.size);
      await batch.commit();
      for (const [name, row] of expected) expect(await table.rows(counters).find({ name }, true)).toEqual(row);
    }),
    { numRuns: runs(5, 25) },
  );
});

test('a row that a transaction takes away and puts back is put under the condition of the first', async () => {
  const table = newOrganization(store.dynamo);
  const remove: Write = {
    remove: rowKey(table.tenant, counters, { name: 'a' }),
    condition: { ConditionExpression: 'attribute_exists(pk)' },
    fail: () => new Error('it is gone'),
  };
  const move = () => {
    const batch = table.batch();
    batch.write(remove, putWrite(table.tenant, counters, { row: { name: 'a', n: 2 } }));
    return batch.commit();
  };
  await expect(move()).rejects.toThrow('it is gone');
  await table.rows(counters).put({ name: 'a', n: 1 });
  await move();
  expect(await table.rows(counters).find({ name: 'a' }, true)).toEqual({ name: 'a', n: 2 });
});

test('two writes of a row that contradict each other are refused by name, and nothing is written', async () => {
  const table = newOrganization(store.dynamo);
  const put = (n: number, expect?: 'absent') => putWrite(table.tenant, counters, { row: { name: 'a', n }, expect });
  const pairs: Write[][] = [
    [put(1), put(2)],
    [put(1, 'absent'), put(1, 'absent')],
    [put(1), { change: rowKey(table.tenant, counters, { name: 'a' }), add: { n: 1 } }],
  ];
  for (const writes of pairs) {
    const batch = table.batch();
    batch.write(...writes, putWrite(table.tenant, counters, { row: { name: 'b' } }));
    await expect(batch.commit()).rejects.toThrow(`${table.tenant}#counter#a`);
  }
  expect(await table.rows(counters).find({ name: 'b' }, true)).toBeUndefined();
});

describe('several writes of one row in a transaction', () => {
  const exists = { ConditionExpression: 'attribute_exists(pk)' };
  const gone = () => new Error('it is gone');
  /** Makes the writes of the row `a`, which is as given or absent before. @returns the row after them */
  async function write(before: Counter | undefined, writesOf: (key: Key) => Write[]): Promise<Counter | undefined> {
    const table = newOrganization(store.dynamo);
    if (before) await table.rows(counters).put(before);
    const batch = table.batch();
    batch.write(...writesOf(rowKey(table.tenant, counters, { name: 'a' })));
    await batch.commit();
    return table.rows(counters).find({ name: 'a' }, true);
  }
  const row = { name: 'a', n: 1 };

  test('are made under the condition of the first, whether the later ones repeat it or not', async () => {
    const changes = (change: Key): Write[] => [
      { change, set: { text: 'x' }, add: { n: 1 }, condition: exists, fail: gone },
      { change, add: { n: 2 } },
      { change, add: { m: 1 }, condition: exists },
    ];
    expect(await write(row, changes)).toEqual({ name: 'a', n: 4, m: 1, text: 'x' });
    await expect(write(undefined, changes)).rejects.toThrow('it is gone');
  });

  test('are made while the row is as one of them looked for it', async () => {
    const changed = (key: Key): Write[] => [
      { check: key, condition: exists, fail: gone },
      { check: key, condition: exists },
      { change: key, add: { n: 5 } },
    ];
    expect(await write(row, changed)).toEqual({ name: 'a', n: 6 });
    await expect(write(undefined, changed)).rejects.toThrow('it is gone');
    const removed = (key: Key): Write[] => [
      { check: key, condition: exists, fail: gone },
      { remove: key },
      { remove: key },
    ];
    expect(await write(row, removed)).toBeUndefined();
    await expect(write(undefined, removed)).rejects.toThrow('it is gone');
  });

  test('that only look at it leave it as it is', async () => {
    const looks = (check: Key): Write[] => [
      { check, condition: exists, fail: gone },
      { check, condition: exists },
    ];
    expect(await write(row, looks)).toEqual(row);
    await expect(write(undefined, looks)).rejects.toThrow('it is gone');
  });

  test('put what the first takes away, also as a row that must be new', async () => {
    const moved = (key: Key): Write[] => [
      { remove: key, condition: exists, fail: gone },
      { put: { ...key, name: 'a', n: 9 }, condition: { ConditionExpression: 'attribute_not_exists(pk)' } },
    ];
    expect(await write(row, moved)).toEqual({ name: 'a', n: 9 });
    await expect(write(undefined, moved)).rejects.toThrow('it is gone');
  });

  test.each<[string, (key: Key) => Write[]]>([
    ['a change that only the later one is to be refused for', (change) => [{ change }, { change, condition: exists }]],
    [
      'two conditions',
      (change) => [
        { change, add: { n: 1 }, condition: exists },
        { change, add: { n: 1 }, condition: { ConditionExpression: 'attribute_exists(sk)' } },
      ],
    ],
    [
      'two looks at it for different things',
      (check) => [
        { check, condition: exists },
        { check, condition: { ConditionExpression: 'attribute_exists(sk)' } },
      ],
    ],
    ['a change of what was put', (key) => [{ put: { ...key, name: 'a' } }, { change: key, add: { n: 1 } }]],
    ['a removal of what was changed', (key) => [{ change: key, add: { n: 1 } }, { remove: key }]],
    ['a removal that is refused where there is no row', (key) => [{ remove: key }, { remove: key, condition: exists }]],
  ])('are refused by the name of the row where they do not combine: %s', async (_, writes) => {
    await expect(write(row, writes)).rejects.toThrow(/#counter#a - twice/);
  });
});

test('many rows are written 25 at a time, also those that the table leaves over', async () => {
  const dynamo = store.connect();
  const table = openTable(dynamo, newOrganization(store.dynamo).organizationId);
  const sizes: number[] = [];
  const before = (_: string, { RequestItems }: { RequestItems?: Record<string, unknown[]> }) =>
    void sizes.push(Object.values(RequestItems ?? {}).flat().length);
  const end = injectFaults(dynamo, { random: dice(2), unprocessed: 0.4, before });
  const rows = Array.from({ length: 60 }, (_, n) => ({ pk: `${table.tenant}#counter#a`, sk: String(n), n }));
  await writeRows(dynamo, { put: rows });
  expect(sizes.slice(0, 3)).toEqual([25, 25, 10]);
  expect(sizes.length).toBeGreaterThan(3);
  await writeRows(dynamo, { remove: rows.slice(3) });
  end();
  let turn = 0;
  injectFaults(dynamo, { random: () => (turn++ < 2 ? 0 : 1), unprocessed: 0.5 });
  await writeRows(dynamo, { remove: rows.slice(1, 3) });
  expect(await table.rows(counters).query('a', { consistent: true })).toEqual([{ n: 0 }]);
});

test('only a row that grew too large in a transaction of several is reported as such', async () => {
  const dynamo = store.connect();
  const table = openTable(dynamo, newOrganization(store.dynamo).organizationId);
  const refusing = async (Message: string) => {
    const reasons = [{ Code: 'None' }, { Code: 'ValidationError', Message }];
    const error = Object.assign(new Error('cancelled'), { CancellationReasons: reasons });
    const end = injectFaults(dynamo, {
      random: () => 1,
      before: () => {
        throw error;
      },
    });
    const batch = table.batch();
    batch.write(putWrite(table.tenant, counters, { row: { name: 'a' } }));
    await batch.commit().finally(end);
  };
  await expect(refusing('Item size to update has exceeded the maximum allowed size')).rejects.toMatchObject({
    code: 'payload_too_large',
  });
  await expect(refusing('The parameter is wrong')).rejects.toThrow('cancelled');
});
