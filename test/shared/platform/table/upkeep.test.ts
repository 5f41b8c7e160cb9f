import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { newId, ordinalOf } from '#shared/platform/runtime/ids.ts';
import { readTalliesOf } from '#shared/platform/table/counters.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { writeRows } from '#shared/platform/table/io/commit.ts';
import { typed } from '#shared/platform/table/io/typed.ts';
import { keysOf, PARTITION } from '#shared/platform/table/layout/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { shareRead } from '#shared/platform/table/together.ts';
import { copyNextFile, readCopiedRows, withDigests, withObjects } from '#shared/platform/table/upkeep/copies.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { RANGE, rangesOf, recordsAfter, walk } from '#shared/platform/table/upkeep/walk.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { draft, longNotes, Ticket, ticketsWith } from './models.ts';

const store = useStore();
afterEach(() => setClock());
const tickets = ticketsWith('ticket');

describe('a walk through all records', () => {
  const step = async (table: Table, afterOrdinal: number, more: { limit: number; before?: number }) => {
    const { rows, next } = await recordsAfter(table.dynamo, keysOf(table.tenant, tickets), { afterOrdinal, ...more });
    return [rows.map(({ id }) => ordinalOf(String(id))), next];
  };

  test('goes on where it stopped, meets each once, and ends at the last', async () => {
    const table = newOrganization(store.dynamo);
    expect(await step(table, -1, { limit: 2 })).toEqual([[], undefined]);
    for (let n = 0; n < 4; n++) await table.create(tickets, draft());
    expect(await step(table, -1, { limit: 2 })).toEqual([[0, 1], 1]);
    expect(await step(table, 1, { limit: 2 })).toEqual([[2, 3], undefined]);
    expect(await step(table, -1, { limit: 4 })).toEqual([[0, 1, 2, 3], undefined]);
    expect(await step(table, -1, { limit: 3 })).toEqual([[0, 1, 2], 2]);
    expect(await step(table, 3, { limit: 3 })).toEqual([[], undefined]);
  });

  test('crosses a gap of any size, with a stop after fifty empty partitions', async () => {
    const table = newOrganization(store.dynamo);
    await table.create(tickets, draft());
    await table.reserveOrdinals(tickets, 51 * PARTITION);
    const far = await table.create(tickets, draft());
    const stop = 50 * PARTITION - 1;
    expect(await step(table, -1, { limit: 10 })).toEqual([[0], stop]);
    expect(await step(table, stop, { limit: 10 })).toEqual([[ordinalOf(far.id)], undefined]);
    const met: number[] = [];
    for await (const { ordinal } of walk(table.dynamo, keysOf(table.tenant, tickets))) met.push(ordinal);
    expect(met).toEqual([0, ordinalOf(far.id)]);
  });

  test('of a range ends before its end', async () => {
    const table = newOrganization(store.dynamo);
    await table.create(tickets, draft());
    await table.reserveOrdinals(tickets, PARTITION);
    await table.create(tickets, draft());
    expect(await step(table, -1, { limit: 10, before: PARTITION })).toEqual([[0], undefined]);
    expect(await step(table, -1, { limit: 10 })).toEqual([[0, PARTITION + 1], undefined]);
  });

  test('takes ranges that leave no record out, the last of which has no end', async () => {
    const ranges = async (ordinals: number) => {
      const table = newOrganization(store.dynamo);
      if (ordinals > 0) await table.reserveOrdinals(tickets, ordinals);
      const all: number[][] = [];
      for await (const { from, before } of rangesOf(table.dynamo, keysOf(table.tenant, tickets)))
        all.push([from, before]);
      return all;
    };
    expect(await ranges(0)).toEqual([[0, Infinity]]);
    expect(await ranges(RANGE)).toEqual([[0, Infinity]]);
    expect(await ranges(RANGE + 1)).toEqual([
      [0, RANGE],
      [RANGE, Infinity],
    ]);
  });
});

test('a rank row without a record is a difference once the records behind it are an hour old, and not before', async () => {
  const start = nowMs();
  setClock(() => start);
  const table = newOrganization(store.dynamo);
  const [id = ''] = await table.reserve(tickets, 1);
  const rank = keysOf(table.tenant, tickets).rank('points:ahead', ordinalOf(id));
  await table.dynamo.client.send(new PutCommand({ TableName: table.dynamo.tableName, Item: rank }));
  await table.create(tickets, draft());
  setClock(() => start + 3_600_000);
  expect(await verify(table, tickets)).toMatchObject({ differences: [], unsettled: 1 });
  setClock(() => start + 3_600_001);
  expect(await verify(table, tickets)).toMatchObject({ differences: [{ kind: 'rank' }], unsettled: 0 });
});

test('a change that leaves unique values and marks alone writes none of their rows', async () => {
  const table = newOrganization(store.dynamo);
  const made = await table.create(tickets, draft({ code: 'c1' }));
  const size = (fields: object) => {
    const batch = table.batch();
    batch.update(tickets, made, table.changed(made, fields));
    return batch.size();
  };
  expect(size({ notes: 'other' })).toBe(2); // the record, and what the feed is told
  expect(size({ code: 'c2' })).toBe(4);
});

test('long fields are written when one of them changes, and not with the others of their record', async () => {
  const described = defineEntity(Ticket, { name: 'described', detail: ['notes', 'code'] });
  const table = newOrganization(store.dynamo);
  const { id } = await table.create(described, draft({ notes: longNotes('one'), code: 'c1' }));
  const change = async (fields: Partial<Ticket>) => {
    const [batch, read] = [table.batch(), await table.get(described, id, true)];
    batch.update(described, read, table.changed(read, fields));
    await batch.commit();
    expect(await table.get(described, id, true)).toMatchObject(fields);
    return batch.size();
  };
  const both = await change({ notes: longNotes('two') });
  expect(await change({ code: 'c2' })).toBe(both);
  expect(await change({ points: 7 })).toBe(both - 1);
  expect(await table.get(described, id, true)).toMatchObject({ notes: longNotes('two'), code: 'c2' });
});

test('tallies of several values are read together; a value without records is left out', async () => {
  for (const shards of [1, 4]) {
    const sharded = ticketsWith(`tallied${shards}`, shards);
    const table = newOrganization(store.dynamo);
    for (const zone of ['north', 'north', 'south', 'east']) await table.create(sharded, draft({ zone, points: 2 }));
    const found = await readTalliesOf({ ...table, entity: sharded }, 'zone', ['north', 'south', 'west']);
    expect(Object.fromEntries(found)).toEqual({ north: { n: 2, points: 4 }, south: { n: 1, points: 2 } });
  }
});

test('tallies come in the order of their values, each with all its shards, also where some of its amounts are zero', async () => {
  for (const shards of [1, 4]) {
    const sharded = ticketsWith(`ordered${shards}`, shards);
    const table = newOrganization(store.dynamo);
    for (const zone of ['x!', 'x', 'y', 'x', 'x!']) await table.create(sharded, draft({ zone }));
    await table.update(sharded, await table.create(sharded, draft({ zone: 'w', points: 2 })), { points: 0 });
    const found = (await table.tallies(sharded, 'zone')).map(({ value, counts }) => [value, counts.n, counts.points]);
    expect(found).toEqual([
      ['w', 1, 0],
      ['x', 2, 2],
      ['x!', 2, 2],
      ['y', 1, 1],
    ]);
  }
});

test('reads of one moment are one, and a later one sees every write before it', async () => {
  let reads = 0;
  const read = shareRead(async () => ++reads);
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
  expect(await read()).toBe(2);
});

test('values are typed for the table as they were: numbers of any size, bytes, nothing for what is undefined', () => {
  const bytes = new Uint8Array([1, 2]);
  expect(typed({ a: 'x', b: 2, c: 2n ** 100n, d: 0.5, e: bytes, f: null, g: undefined, h: [true, undefined] })).toEqual(
    {
      a: { S: 'x' },
      b: { N: '2' },
      c: { N: String(2n ** 100n) },
      d: { N: '0.5' },
      e: { B: bytes },
      f: { NULL: true },
      h: { L: [{ BOOL: true }] },
    },
  );
});

describe('a copy', () => {
  const bucketInMemory = () => {
    const objects = new Map<string, Uint8Array>();
    const bucket = {
      put: async (key: string, body: Uint8Array | string) => void objects.set(key, Buffer.from(body)),
      get: async (key: string) => objects.get(key),
    };
    return { objects, bucket: bucket as unknown as Bucket };
  };

  test('holds the rows of the organization and no others, each as it was', async () => {
    const { dynamo } = store;
    const [table, other] = [newOrganization(dynamo), newOrganization(dynamo)];
    const pk = `${table.tenant}#note#1`;
    const rows = [
      { pk, sk: '1', B: 'text', N: 1, n: 2n ** 100n, half: 0.5, none: null, list: [1, { B: 'b', SS: ['z', 'a'] }] },
      { pk, sk: '2', bytes: new Uint8Array([0, 255]), set: new Set(['b', 'a']), numbers: new Set([1, 2]), yes: true },
    ];
    await writeRows(dynamo, { put: [...rows, { pk: `${other.tenant}#note#1`, sk: '1' }] });
    const { bucket } = bucketInMemory();
    const place = { organizationId: table.organizationId, copyId: 'c' };
    const copied = await copyNextFile({ dynamo, bucket, place }, { files: 0, rows: 0, digest: '0' });
    expect(copied).toMatchObject({ files: 1, rows: 2, row: undefined });
    const read = await readCopiedRows(bucket, place, 0);
    expect(read.toSorted((a, b) => (a.sk < b.sk ? -1 : 1))).toEqual(rows);
    expect(withDigests('0', read.toReversed())).toBe(copied.digest);
    expect(withDigests('0', read.slice(1))).not.toBe(copied.digest);
    await expect(readCopiedRows(bucket, place, 1)).rejects.toThrow('the file 1 of the copy c is missing');
  });

  test('of an organization without rows has no file', async () => {
    const { bucket, objects } = bucketInMemory();
    const place = { organizationId: newId(), copyId: 'c' };
    const at = { files: 0, rows: 0, digest: '0' };
    expect(await copyNextFile({ dynamo: store.dynamo, bucket, place }, at)).toEqual({ ...at, row: undefined });
    expect(objects.size).toBe(0);
  });

  test('distinguishes objects by key and content, in any order', () => {
    const [one, two] = [
      { key: 'a', checksum: '1' },
      { key: 'b', checksum: '2' },
    ];
    expect(withObjects('0', [one, two])).toBe(withObjects(withObjects('0', [two]), [one]));
    expect(withObjects('0', [one])).not.toBe(withObjects('0', [{ ...one, checksum: '2' }]));
    expect(withObjects('0', [one])).not.toBe(withObjects('0', [{ ...one, key: 'b' }]));
    expect(withObjects('f'.repeat(32), [one])).toHaveLength(32);
  });
});
