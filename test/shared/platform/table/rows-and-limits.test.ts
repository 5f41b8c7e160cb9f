import { afterEach, describe, expect, test } from 'vitest';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { commit, MAX_TRANSACTION, type Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { injectFaults } from '../../../support/faults.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
afterEach(() => setClock());

type Note = { list: string; n: string; text?: string; big?: string; until?: string };
const notes = defineRow<Note, { list: string; n: string }>({
  name: 'note',
  about: 'a row for the tests of rows',
  key: ({ list, n }) => [list, n],
});
const passes = defineRow<Note, { list: string; n: string }>({
  ...notes,
  name: 'pass',
  expiresAt: ({ until }) => until,
});

describe('a row with an end', () => {
  const start = Date.parse('2026-03-01T12:00:00.000Z');
  const at = (ms: number) => setClock(() => start + ms);

  test('is there for readers until that second, and for none of them after it', async () => {
    at(0);
    const rows = newOrganization(store.dynamo).rows(passes);
    const row = { list: 'a', n: '1', until: '2026-03-01T12:00:10.000Z' };
    await rows.put(row);
    await rows.put({ list: 'a', n: '2' });
    const seen = async () => [
      await rows.find(row),
      (await rows.findMany([row, { list: 'a', n: '2' }])).length,
      (await rows.query('a')).length,
    ];
    at(9_999);
    expect(await seen()).toEqual([row, 2, 2]);
    at(10_000);
    expect(await seen()).toEqual([undefined, 1, 1]);
  });

  test('keeps a new one out until it ends, and not longer', async () => {
    at(0);
    const rows = newOrganization(store.dynamo).rows(passes);
    const row = { list: 'a', n: '1', until: '2026-03-01T12:00:10.000Z' };
    expect(await rows.put(row, 'absent')).toBe(true);
    at(9_999);
    expect(await rows.put({ ...row, text: 'mine' }, 'absent')).toBe(false);
    at(10_000);
    expect(await rows.put({ ...row, text: 'mine' }, 'absent')).toBe(true);
  });

  test('that is filled ends as its values say', async () => {
    at(0);
    const rows = newOrganization(store.dynamo).rows(passes);
    const values = { list: 'a', n: '1', until: '2026-03-01T12:00:10.000Z' };
    await rows.fill({ list: 'a', n: '1' }, values);
    expect(await rows.find(values, true)).toEqual(values);
    at(10_000);
    expect(await rows.find(values, true)).toBeUndefined();
  });
});

test('a write that expects a row makes none, and one that expects an attribute to be missing is refused beside it', async () => {
  const rows = newOrganization(store.dynamo).rows(notes);
  const key = { list: 'a', n: '1' };
  for (const expected of [{}, { text: undefined }]) {
    expect(await rows.set(key, { text: 'x' }, expected)).toBe(false);
    expect(await rows.find(key, true)).toBeUndefined();
  }
  await rows.put({ ...key, text: 'x' });
  expect(await rows.set(key, { big: 'y' }, { text: undefined })).toBe(false);
  expect(await rows.set(key, { text: undefined, big: 'y' }, { text: 'x' })).toBe(true);
  expect(await rows.find(key, true)).toEqual({ ...key, big: 'y' });
  expect(await rows.set(key, { text: 'z' }, { text: undefined, big: 'y' })).toBe(true);
  expect(await rows.remove(key, { text: 'other' })).toBe(false);
  expect(await rows.remove(key)).toBe(true);
  expect(await rows.remove(key, {})).toBe(false);
});

test('a partition is read by its beginning, between two keys, from its end, and up to a number', async () => {
  const rows = newOrganization(store.dynamo).rows(notes);
  for (const n of ['a1', 'a2', 'b1', 'b2']) await rows.put({ list: 'l', n });
  const read = async (range?: Parameters<typeof rows.query>[1]) => (await rows.query('l', range)).map(({ n }) => n);
  expect(await read()).toEqual(['a1', 'a2', 'b1', 'b2']);
  expect(await read({ prefix: 'a' })).toEqual(['a1', 'a2']);
  expect(await read({ between: { from: 'a2', to: 'b1' } })).toEqual(['a2', 'b1']);
  expect(await read({ backward: true, limit: 3 })).toEqual(['b2', 'b1', 'a2']);
  expect(await read({ prefix: 'b', limit: 1 })).toEqual(['b1']);
});

test('rows that need several answers of the table are all read, and with a limit no more than asked for', async () => {
  const rows = newOrganization(store.dynamo).rows(notes);
  const big = 'x'.repeat(300_000);
  await Promise.all(Array.from({ length: 8 }, (_, n) => rows.put({ list: 'l', n: String(n), big })));
  const read = async (limit?: number) =>
    (await rows.query('l', { ...(limit && { limit }), consistent: true })).map(({ n }) => n).join('');
  expect(await read()).toBe('01234567');
  expect(await read(5)).toBe('01234');
  expect(await read(1)).toBe('0');
});

test('rows of many keys are asked for a hundred at a time, and the last that is left over once more', async () => {
  const dynamo = store.connect();
  const rows = openTable(dynamo, newOrganization(store.dynamo).organizationId).rows(notes);
  const keys = Array.from({ length: 101 }, (_, n) => ({ list: 'l', n: String(n) }));
  for (const n of [0, 1, 100]) await rows.put({ list: 'l', n: String(n) });
  const sizes: number[] = [];
  let turn = 0;
  injectFaults(dynamo, {
    random: () => (turn++ === 0 ? 0 : 1),
    unprocessed: 0.5,
    before: (_, input) => {
      const { RequestItems = {} } = input as { RequestItems?: Record<string, { Keys: unknown[] }> };
      sizes.push(...Object.values(RequestItems).map(({ Keys }) => Keys.length));
    },
  });
  expect(await rows.findMany(keys.slice(0, 2))).toHaveLength(2);
  expect(sizes).toEqual([2, 1]);
  expect(await rows.findMany(keys)).toHaveLength(3);
  expect(sizes.slice(2)).toEqual([100, 1]);
  expect(await rows.findMany([...keys.slice(0, 2), ...keys.slice(0, 1)])).toHaveLength(2);
});

test('a key of any length may be asked for: behind the limit of the table nothing is found, and nothing fails', async () => {
  const table = newOrganization(store.dynamo);
  const rows = table.rows(notes);
  const room = 2048 - `${table.tenant}#note#`.length;
  const longest = { list: 'p'.repeat(room), n: 's'.repeat(1024) };
  await rows.put(longest);
  expect(await rows.find(longest, true)).toEqual(longest);
  for (const longer of [
    { ...longest, list: `${longest.list}p` },
    { ...longest, n: `${longest.n}s` },
    { list: 'a', n: 'é'.repeat(513) },
  ])
    expect(await rows.find(longer, true)).toBeUndefined();
});

describe('a transaction', () => {
  const puts = (table: ReturnType<typeof openTable>, from: number, to: number): Write[] =>
    Array.from({ length: to - from }, (_, n) =>
      putWrite(table.tenant, notes, { row: { list: 'l', n: String(from + n) } }),
    );
  const write = (table: ReturnType<typeof openTable>, from: number, to: number) => (batch: Batch) =>
    batch.write(...puts(table, from, to));

  test('has a hundred rows and not one more', async () => {
    const table = newOrganization(store.dynamo);
    await commit(store.dynamo, puts(table, 0, MAX_TRANSACTION), new Map());
    expect(await table.rows(notes).query('l')).toHaveLength(100);
    await expect(commit(store.dynamo, puts(table, 200, 301), new Map())).rejects.toThrow('101 rows');
    expect(await table.rows(notes).query('l')).toHaveLength(100);
  });

  test('of nothing is no request', async () => {
    const dynamo = store.connect();
    let requests = 0;
    injectFaults(dynamo, { random: () => 1, before: () => void requests++ });
    await openTable(dynamo, newOrganization(store.dynamo).organizationId).batch().commit();
    expect(requests).toBe(0);
  });

  test('takes changes that fit it whole, with the rows that are spared for later, or none of them', async () => {
    const table = newOrganization(store.dynamo);
    const batch = table.batch();
    expect(batch.takes(write(table, 0, 97), 3)).toBe(true);
    expect(batch.takes(write(table, 97, 98), 3)).toBe(false);
    expect(batch.size()).toBe(97);
    expect(batch.takes(write(table, 90, 97), 3)).toBe(true); // rows that it has already
    expect(batch.takes(write(table, 97, 100))).toBe(true);
    expect(batch.takes(write(table, 100, 101))).toBe(false);
    await batch.commit();
    expect(await table.rows(notes).query('l')).toHaveLength(100);
    const next = batch.next();
    expect(next.size()).toBe(1);
    await next.commit();
    expect(await table.rows(notes).query('l')).toHaveLength(101);
  });

  test('that begins with changes too large for any is refused, and not tried for ever', () => {
    const table = newOrganization(store.dynamo);
    const batch = table.batch();
    expect(batch.takes(write(table, 0, 98), 3)).toBe(false);
    expect(() => batch.next(3)).toThrow(/more rows than a transaction has/);
    expect(batch.next(2).size()).toBe(98);
    const full = table.batch();
    full.write(...puts(table, 0, 1));
    expect(full.takes(write(table, 1, 101))).toBe(false);
    expect(full.next().size()).toBe(100);
  });

  test('that failed while its changes were made keeps what it had', async () => {
    const table = newOrganization(store.dynamo);
    const batch = table.batch();
    batch.write(...puts(table, 0, 1));
    const broken = (some: Batch) => {
      some.write(...puts(table, 1, 2));
      throw new Error('no decision');
    };
    expect(() => batch.takes(broken)).toThrow('no decision');
    expect(batch.size()).toBe(1);
    await batch.commit();
    expect((await table.rows(notes).query('l')).map(({ n }) => n)).toEqual(['0']);
  });

  test('with a row of more than 400 KB is refused in words that a caller understands', async () => {
    const table = newOrganization(store.dynamo);
    const batch = table.batch();
    batch.write(putWrite(table.tenant, notes, { row: { list: 'l', n: '1', big: 'x'.repeat(410_000) } }));
    await expect(batch.commit()).rejects.toMatchObject({ code: 'payload_too_large' });
  });
});

test('a refusal that is no matter of a condition reaches the caller: it is not taken for another writer', async () => {
  const dynamo = store.connect();
  const rows = openTable(dynamo, newOrganization(store.dynamo).organizationId).rows(notes);
  injectFaults(dynamo, {
    random: () => 1,
    before: () => {
      throw new Error('no access');
    },
  });
  const key = { list: 'a', n: '1' };
  await expect(rows.put(key, 'absent')).rejects.toThrow('no access');
  await expect(rows.set(key, { text: 'x' }, {})).rejects.toThrow('no access');
  await expect(rows.remove(key, {})).rejects.toThrow('no access');
});
