import { expect } from 'vitest';
import { newId, ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { ListQuery } from '#shared/platform/table/list.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { severities, statuses, type Ticket, type Tickets } from './models.ts';

/** Everything that the store promises about a collection that holds exactly these records. */
export async function expectCollection(table: Table, tickets: Tickets, records: Ticket[]): Promise<void> {
  await table.workJournal(tickets);
  const newest = records.toSorted((a, b) => ordinalOf(b.id) - ordinalOf(a.id));
  await expectCounters(table, tickets, newest);
  for (const status of [undefined, ...statuses])
    for (const severity of [undefined, ...severities]) {
      const filter = { status, severity };
      const found = newest.filter((one) => fits(one, filter));
      await expectList(table, tickets, { query: { filter }, found });
    }
  for (const owner of new Set(newest.flatMap((one) => one.owner ?? [])))
    for (const status of [undefined, ...statuses]) {
      const found = newest.filter((one) => one.owner === owner && fits(one, { status }));
      await expectList(table, tickets, { query: { parent: { owner: owner }, filter: { status } }, found });
    }
  await expectFound(table, tickets, newest);
  await expectCombinations(table, tickets, newest);
  await expectTop(table, tickets, newest);
  expect(await verify(table, tickets)).toEqual({ records: newest.length, differences: [], unsettled: 0 });
}

const fits = (ticket: Ticket, filter: { status?: string | undefined; severity?: string | undefined }): boolean =>
  (filter.status ?? ticket.status) === ticket.status && (filter.severity ?? ticket.severity) === ticket.severity;

async function expectCounters(table: Table, tickets: Tickets, records: Ticket[]): Promise<void> {
  const facets = await table.facets(tickets);
  expect(nonZero(facets)).toEqual(nonZero(sums(records.map((one) => tickets.facets(one)))));
  const zones = Object.groupBy(records, ({ zone }) => zone);
  const expected = Object.entries(zones).map(([value, some = []]) => ({
    value,
    counts: nonZero(sums(some.map(({ points }) => ({ n: 1, points })))),
  }));
  const tallies = await table.tallies(tickets, 'zone');
  expect(tallies.map(({ value, counts }) => ({ value, counts: nonZero(counts) }))).toEqual(
    expected.toSorted((a, b) => (a.value < b.value ? -1 : 1)),
  );
  for (const { value, counts } of tallies) expect(await table.tally(tickets, 'zone', value)).toEqual(counts);
}

/** Pages of three sizes, from every offset of one of them, give each record once and in order. */
async function expectList(
  table: Table,
  tickets: Tickets,
  { query, found }: { query: Omit<ListQuery, 'paginateFrom' | 'paginateSize'>; found: Ticket[] },
): Promise<void> {
  const offsets = [...found.keys(), found.length].filter((n) => n < 6 || n % 5 === 0 || n > found.length - 3);
  const pages = offsets.map((from) => [from, 4] as const);
  await Promise.all(
    [...pages, [0, 500] as const, [1, 17] as const].map(async ([paginateFrom, paginateSize]) => {
      const page = await table.list(tickets, { ...query, paginateFrom, paginateSize });
      expect(page.data.map(({ id }) => id)).toEqual(
        found.slice(paginateFrom, paginateFrom + paginateSize).map(({ id }) => id),
      );
      expect(page.totalCount).toBe(found.length);
    }),
  );
  await expectNamed(table, tickets, { query, found });
}

/** The records that a list gives for their ids, and for the ids of others of any list: the same ones in the same order. */
async function expectNamed(
  table: Table,
  tickets: Tickets,
  { query, found }: { query: Omit<ListQuery, 'paginateFrom' | 'paginateSize'>; found: Ticket[] },
): Promise<void> {
  const { data: others } = await table.list(tickets, { paginateFrom: 0, paginateSize: 50 });
  const named = found.slice(0, 50).filter((_, n) => n % 3 !== 1);
  const ids = [...named, ...others].map(({ id }) => id).toSorted();
  const wanted = found.filter(({ id }) => ids.includes(id));
  const page = await table.list(tickets, { ...query, ids: [newId(), ...ids], paginateFrom: 0, paginateSize: 1 });
  expect(page.data.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
  expect(page).toMatchObject({ totalCount: wanted.length, page: 1, totalPages: wanted.length === 0 ? 0 : 1 });
}

async function expectFound(table: Table, tickets: Tickets, records: Ticket[]): Promise<void> {
  for (const search of ['pump', 'pum', 'valve', 'north', 'leaking valve', 'so br']) {
    const words = search.split(' ');
    const found = records.filter((one) => {
      const text = `${one.title} ${one.zone}`.split(' ');
      return words.every((word) => text.some((other) => other.startsWith(word)));
    });
    await expectList(table, tickets, { query: { search }, found });
  }
  const codesOf = ({ code, codes = [] }: Ticket) => [...new Set([code ?? [], codes].flat())];
  for (const one of records)
    for (const value of codesOf(one))
      expect((await table.findUnique(tickets, { field: 'code', value }))?.id).toBe(one.id);
  const codes = records.flatMap(codesOf);
  expect(new Set(codes).size).toBe(codes.length);
}

/** Values, dimensions, a parent and words together: each page is that of a scan. */
async function expectCombinations(table: Table, tickets: Tickets, records: Ticket[]): Promise<void> {
  const queries: { query: Omit<ListQuery, 'paginateFrom' | 'paginateSize'>; fits: (one: Ticket) => boolean }[] = [
    { query: { where: { zone: 'north' } }, fits: ({ zone }) => zone === 'north' },
    { query: { where: { zone: ['south#1', ''] } }, fits: ({ zone }) => zone === 'south#1' || zone === '' },
    {
      query: { where: { status: ['open', 'fixed'], points: '1' }, filter: { severity: 'low' } },
      fits: ({ status, severity, points }) => status !== 'accepted' && severity === 'low' && points === 1,
    },
    {
      query: { where: { points: '1' }, search: 'pump', parent: { owner: 'ann' } },
      fits: ({ points, title, owner }) => points === 1 && title.includes('pump') && owner === 'ann',
    },
  ];
  for (const { query, fits } of queries) await expectList(table, tickets, { query, found: records.filter(fits) });
}

async function expectTop(table: Table, tickets: Tickets, newest: Ticket[]): Promise<void> {
  const ranked = newest.filter(({ status }) => status === 'open').toSorted((a, b) => b.points - a.points);
  const top = await table.top(tickets, { by: 'points', n: 5 });
  expect(top.map(({ id }) => id)).toEqual(ranked.slice(0, 5).map(({ id }) => id));
  expect(await table.highestRank(tickets, 'points')).toBe(ranked[0]?.points);
  const sort = 'points';
  const others = newest.filter(({ status }) => status === 'fixed');
  const query = { where: { status: ['open', 'fixed'] }, sort };
  await expectList(table, tickets, { query, found: [...ranked, ...others] });
  const within = { where: { zone: 'north' }, filter: { status: 'open' }, sort };
  await expectList(table, tickets, { query: within, found: ranked.filter(({ zone }) => zone === 'north') });
  const few = { between: { points: { from: '0999995' } }, sort };
  await expectList(table, tickets, { query: few, found: ranked.filter(({ points }) => points <= 5) });
}

export const sums = (all: Record<string, number>[]): Record<string, number> => {
  const total: Record<string, number> = {};
  for (const [name, amount] of all.flatMap((one) => Object.entries(one))) total[name] = (total[name] ?? 0) + amount;
  return total;
};

const nonZero = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([, amount]) => amount !== 0));
