import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Write } from '#shared/table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '#shared/table/io/row.ts';
import { newOrganization, useStore } from '#test/support/store.ts';

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
        batch.write({ change: rowKey(table.scope, counters, { name }), set: { name, text }, add });
        const { text: _, ...row } = expected.get(name) ?? { name };
        for (const [field, n] of Object.entries(add)) Object.assign(row, { [field]: (row[field as 'n'] ?? 0) + n });
        expected.set(name, { ...row, ...(text && { text }) });
      }
      expect(batch.size()).toBe(expected.size);
      await batch.commit();
      for (const [name, row] of expected) expect(await table.rows(counters).find({ name }, true)).toEqual(row);
    }),
    { numRuns: 25 },
  );
});

test('a row that a transaction takes away and puts back is put under the condition of the first', async () => {
  const table = newOrganization(store.dynamo);
  const remove: Write = {
    remove: rowKey(table.scope, counters, { name: 'a' }),
    condition: { ConditionExpression: 'attribute_exists(pk)' },
    fail: () => new Error('it is gone'),
  };
  const move = () => {
    const batch = table.batch();
    batch.write(remove, putWrite(table.scope, counters, { row: { name: 'a', n: 2 } }));
    return batch.commit();
  };
  await expect(move()).rejects.toThrow('it is gone');
  await table.rows(counters).put({ name: 'a', n: 1 });
  await move();
  expect(await table.rows(counters).find({ name: 'a' }, true)).toEqual({ name: 'a', n: 2 });
});

test('two writes of a row that contradict each other are refused by name, and nothing is written', async () => {
  const table = newOrganization(store.dynamo);
  const put = (n: number, expect?: 'absent') => putWrite(table.scope, counters, { row: { name: 'a', n }, expect });
  const pairs: Write[][] = [
    [put(1), put(2)],
    [put(1, 'absent'), put(1, 'absent')],
    [put(1), { change: rowKey(table.scope, counters, { name: 'a' }), add: { n: 1 } }],
  ];
  for (const writes of pairs) {
    const batch = table.batch();
    batch.write(...writes, putWrite(table.scope, counters, { row: { name: 'b' } }));
    await expect(batch.commit()).rejects.toThrow(`${table.scope}#counter#a`);
  }
  expect(await table.rows(counters).find({ name: 'b' }, true)).toBeUndefined();
});
