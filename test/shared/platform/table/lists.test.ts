import { beforeAll, describe, expect, test } from 'vitest';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import type { ListQuery } from '#shared/platform/table/list.ts';
import { ordinalsOf, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { draft, longNotes, nextTicketsWith, statuses, Ticket, ticketsWith } from './models.ts';

const store = useStore();
const tickets = ticketsWith('ticket');
/** Found by its lists alone: no values are declared to combine them. */
const plain = defineEntity(Ticket, {
  name: 'plain',
  dimensions: { status: statuses },
  parents: { owner: { of: ({ owner }) => owner, dimensions: { status: statuses } }, zone: { of: ({ zone }) => zone } },
});
const page = { paginateFrom: 0, paginateSize: 10 };

describe('a combination of filters that a list does not offer', () => {
  const refused = (...paths: string[]) => ({
    code: 'unsupported_filter',
    details: paths.map((path) => ({ path, message: 'cannot be combined with the other filters' })),
  });
  const list = (query: Omit<ListQuery, 'paginateFrom' | 'paginateSize'>) =>
    newOrganization(store.dynamo).list(plain, { ...query, ...page });

  test('is refused by name, and never answered as if it had not been asked for', async () => {
    await expect(list({ filter: { status: 'open', severity: 'low' } })).rejects.toMatchObject(refused('severity'));
    await expect(list({ parent: { zone: 'north' }, filter: { status: 'open' } })).rejects.toMatchObject(
      refused('status'),
    );
    await expect(list({ parent: { owner: 'ann', zone: 'north' } })).rejects.toMatchObject(refused('zoneId'));
    await expect(list({ parent: { nobody: 'x' } })).rejects.toThrow('no list nobody');
  });

  test('is none where a filter is left out', async () => {
    const table = newOrganization(store.dynamo);
    const { id } = await table.create(plain, draft({ owner: 'ann' }));
    await table.create(plain, draft({ owner: 'bob', zone: 'south' }));
    const found = async (query: Omit<ListQuery, 'paginateFrom' | 'paginateSize'>) =>
      (await table.list(plain, { ...query, ...page })).data.map((one) => one.id);
    expect(await found({ parent: { owner: 'ann', zone: undefined }, filter: { severity: undefined } })).toEqual([id]);
    expect(await found({ parent: { owner: undefined, zone: 'north' } })).toEqual([id]);
    expect(await found({ parent: { owner: 'ann' }, filter: { status: 'fixed' } })).toEqual([]);
  });
});

test('a value that is left out is no condition, and one of nothing finds what has none', async () => {
  const table = newOrganization(store.dynamo);
  const named = nextTicketsWith('named');
  const [bare, coded] = [await table.create(named, draft()), await table.create(named, draft({ code: 'c1' }))];
  const found = async (code: string | null | undefined) => {
    const { data } = await table.list(named, { where: { zone: 'north', code }, ...page });
    return data.map(({ id }) => id);
  };
  expect(await found(undefined)).toEqual([coded.id, bare.id]);
  expect([await found(null), await found('c1')]).toEqual([[bare.id], [coded.id]]);
});

test('the lists of two parents have the records of both, where values are declared to combine them', async () => {
  const table = newOrganization(store.dynamo);
  const both = nextTicketsWith('both');
  const { id } = await table.create(both, draft({ owner: 'ann', zone: 'north' }));
  for (const [owner, zone] of [
    ['ann', 'south'],
    ['bob', 'north'],
  ] as const)
    await table.create(both, draft({ owner, zone }));
  const { data, totalCount } = await table.list(both, { parent: { owner: 'ann', zone: 'north' }, ...page });
  expect([data.map((one) => one.id), totalCount]).toEqual([[id], 1]);
});

describe('a long list', () => {
  const SIZE = 1010;
  let table: Table;
  /** The newest has the fewest points, so that the order by points is that of creation. */
  beforeAll(async () => {
    table = newOrganization(store.dynamo);
    const ids = await table.reserve(tickets, SIZE);
    for (let from = 0; from < SIZE; from += 30) {
      const batch = table.batch(true);
      for (const [n, id] of ids.slice(from, from + 30).entries()) {
        const at = from + n;
        const title = `pump w${at % 2 ? 'x' : 'y'}${at}`;
        const fields = { title, zone: at < SIZE - 5 ? 'north' : 'south', owner: at < 20 ? `own${at % 7}` : null };
        batch.create(tickets, table.stamp<Ticket>({ id, ...draft({ ...fields, points: SIZE - at }) }));
      }
      await batch.commit();
    }
    await table.workJournal(tickets);
  });

  test('is sorted up to its 1,000th record; after it the answer asks for a filter', async () => {
    const points = async (query: object) =>
      (await table.list(tickets, { sort: 'points', ...page, ...query })).data.map((one) => one.points);
    expect(await points({ paginateFrom: 12, paginateSize: 8 })).toEqual([998, 997, 996, 995, 994, 993, 992, 991]);
    expect(await points({ paginateFrom: 14, paginateSize: 2 })).toEqual([996, 995]);
    expect(await points({ paginateFrom: 997, paginateSize: 3 })).toEqual([13, 12, 11]);
    await expect(points({ paginateFrom: 991 })).rejects.toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'paginateFrom' }],
    });
  });

  test('with a filter of few records has all of them, or none, where nothing behind can fit', async () => {
    const points = async (owner: string, filter: Record<string, string>) => {
      const query = { parent: { owner }, filter, sort: 'points', ...page };
      const { data, totalCount } = await table.list(tickets, query);
      expect(totalCount).toBe(data.length);
      return data.map((one) => one.points);
    };
    expect(await points('own6', { status: 'open' })).toEqual([1004, 997]);
    expect(await points('own0', { status: 'open' })).toEqual([1010, 1003, 996]);
    expect(await points('own0', { severity: 'high' })).toEqual([]);
    expect(await points('nobody', {})).toEqual([]);
  });

  test('with a filter whose records come last is refused, not answered as empty', async () => {
    const query = { where: { zone: 'south' }, sort: 'points', ...page };
    await expect(table.list(tickets, query)).rejects.toMatchObject({ code: 'unsupported_filter' });
    const first = await table.list(tickets, { ...query, where: { zone: 'north' } });
    expect(first.data.map((one) => one.points)).toEqual(Array.from({ length: 10 }, (_, n) => SIZE - n));
    expect(first.totalCount).toBe(SIZE - 5);
  });

  test('is not searched for words that narrow nothing: the answer says so', async () => {
    const query = { search: 'w', ...page, where: { zone: 'south' } };
    await expect(table.list(tickets, query)).rejects.toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'search' }],
    });
    expect(await table.list(tickets, { search: 'pump', ...page })).toMatchObject({ totalCount: SIZE });
    expect(await ordinalsOf(table, tickets, { search: 'wx' })).toHaveLength(SIZE / 2);
  });
});

test('records without a place in an order come last, the newest first, where a filter finds them', async () => {
  const table = newOrganization(store.dynamo);
  const made: string[] = [];
  for (const [status, points] of [
    ['open', 3],
    ['fixed', 1],
    ['open', 9],
    ['fixed', 2],
  ] as const)
    made.push((await table.create(tickets, draft({ status, points }))).id);
  const found = async (range: { paginateFrom: number; paginateSize: number }) => {
    const { data } = await table.list(tickets, { where: { zone: 'north' }, sort: 'points', ...range });
    return data.map(({ id }) => made.indexOf(id));
  };
  expect(await found(page)).toEqual([2, 0, 3, 1]);
  expect(await found({ paginateFrom: 2, paginateSize: 1 })).toEqual([3]);
});

test('a search that finds a thousand words says that there are more, and no work is begun on a part of them', async () => {
  const table = newOrganization(store.dynamo);
  const words = Array.from({ length: 1000 }, (_, n) => `wx${String(n).padStart(4, '0')}`);
  for (let from = 0; from < words.length; from += 240) {
    const batch = table.batch(true);
    const ids = await table.reserve(tickets, 20);
    for (const [n, id] of ids.entries()) {
      const title = words.slice(from + n * 12, Math.min(from + n * 12 + 12, from + 240)).join(' ');
      batch.create(tickets, table.stamp<Ticket>({ id, ...draft({ title }) }));
    }
    await batch.commit();
  }
  await table.workJournal(tickets);
  for (const search of ['wx', 'wx wx0000', 'wx0000 wx'])
    expect(await table.list(tickets, { search, ...page })).toMatchObject({ truncated: true });
  await expect(ordinalsOf(table, tickets, { search: 'wx' })).rejects.toMatchObject({
    code: 'validation_failed',
    details: [{ path: 'search' }],
  });
  expect(await table.list(tickets, { search: 'wx00', ...page })).not.toHaveProperty('truncated');
  expect(await ordinalsOf(table, tickets, { search: 'wx00' })).toHaveLength(9);
});

test('records are read whole in two round trips, however many have long fields', async () => {
  const table = newOrganization(store.dynamo);
  const ids: string[] = [];
  for (let n = 0; n < 6; n++)
    ids.push((await table.create(tickets, draft({ notes: n % 2 ? longNotes(`${n}`) : 'short' }))).id);
  const dynamo = store.connect();
  const ordinals = ids.map(ordinalOf);
  const usage = await attachMeter(dynamo).measure(async () => {
    const whole = await wholeRecordsAt(openTable(dynamo, table.organizationId), tickets, { ordinals });
    expect(whole.map(({ notes }) => notes?.length)).toEqual(ids.map((_, n) => (n % 2 ? 1200 : 5)));
  });
  expect(usage.roundTrips).toBe(2);
});
