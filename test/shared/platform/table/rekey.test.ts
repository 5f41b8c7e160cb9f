import { expect, test } from 'vitest';
import { keysOf } from '#shared/platform/table/layout/keys.ts';
import { recordOf } from '#shared/platform/table/layout/record.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { rekey } from '#shared/platform/table/upkeep/rekey.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { walk } from '#shared/platform/table/upkeep/walk.ts';
import { dice, injectFaults, overtakeOnce } from '../../../support/faults.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { expectCollection, sums } from './expectations.ts';
import {
  draft,
  longNotes,
  nextTicketsWith,
  severities,
  statuses,
  type Ticket,
  type Tickets,
  ticketsWith,
} from './models.ts';

const store = useStore();

const drawn = (random: () => number): Partial<Ticket> => ({
  status: statuses[Math.floor(random() * 3)],
  severity: severities[Math.floor(random() * 2)],
  owner: random() < 0.5 ? 'ann' : null,
  zone: random() < 0.5 ? 'north' : 'south',
  points: Math.floor(random() * 10),
});

async function fill(table: Table, tickets: Tickets, { size, random }: { size: number; random: () => number }) {
  for (let done = 0; done < size; done += 25) {
    const ids = await table.reserve(tickets, Math.min(25, size - done));
    const batch = table.batch(true);
    for (const [n, id] of ids.entries())
      batch.create(tickets, table.stamp<Ticket>({ id, ...draft(drawn(random)), notes: `note ${n}` }));
    await batch.commit();
  }
  await table.workJournal(tickets);
}

async function rekeyAll(table: Table, tickets: Tickets): Promise<{ seen: number; rewritten: number }> {
  const total = { seen: 0, rewritten: 0 };
  let next: number | undefined = -1;
  while (next !== undefined) {
    const step: Awaited<ReturnType<typeof rekey>> = await rekey(table, tickets, { afterOrdinal: next });
    expectSnapshot(await table.facets(tickets));
    total.seen += step.seen;
    total.rewritten += step.rewritten;
    next = step.next;
  }
  return total;
}

/** Each record has one status and one severity, so their counters agree in every reading, also in the middle. */
function expectSnapshot(facets: Record<string, number>): void {
  const total = (names: readonly string[], field: string) =>
    names.reduce((sum, name) => sum + (facets[`${field}:${name}`] ?? 0), 0);
  expect(total(statuses, 'status')).toBe(total(severities, 'severity'));
}

/** All records as their list rows have them. */
async function allOf(table: Table, tickets: Tickets): Promise<Ticket[]> {
  const records: Ticket[] = [];
  for await (const { row } of walk(table.dynamo, keysOf(table.tenant, tickets))) records.push(recordOf<Ticket>(row));
  return records;
}

const oldCounters = async (table: Table, tickets: Tickets) => {
  const { large: _large, ...facets } = await table.facets(tickets);
  return { facets, zones: await table.tallies(tickets, 'zone') };
};

test('the numbers of 5,000 records stay right before, during and after a rekey to a new release', async () => {
  const table = newOrganization(store.dynamo);
  const [old, next] = [ticketsWith('ticket'), nextTicketsWith('ticket')];
  const random = dice(1);
  await fill(table, old, { size: 5_000, random });
  const before = await oldCounters(table, old);
  const first = await table.list(next, { paginateFrom: 0, paginateSize: 1 });
  expect(first.totalCount).toBe(5_000);
  expect(await oldCounters(table, next)).toEqual(before);

  let running = true;
  const writers = [old, next].map(async (tickets, n) => {
    const own = openTable(store.connect(), table.organizationId);
    injectFaults(own.dynamo, { random: dice(n), conflict: 0.1, lost: 0.1 });
    for (let turn = 0; running; turn++) {
      const made = await own.create(tickets, draft({ ...drawn(random), code: `code-${n}-${turn}` }));
      const at = 10 + Math.floor(random() * 4_900); // behind those that the other writer may be deleting
      const { data } = await own.list(tickets, { paginateFrom: at, paginateSize: 2 });
      for (const { id } of data) await own.modify(tickets, id, () => drawn(random));
      if (turn % 2) await own.delete(tickets, made);
    }
  });
  const moving = await rekeyAll(table, next);
  running = false;
  await Promise.all(writers);
  expect(moving.rewritten).toBeGreaterThan(4_500);
  expect((await verify(table, next)).differences).toEqual([]);

  await rekeyAll(table, next);
  const records = await allOf(table, next);
  expect((await table.list(next, { paginateFrom: 0, paginateSize: 1 })).totalCount).toBe(records.length);
  const facets = await table.facets(next);
  expect(facets).toEqual(sums(records.map((one) => next.facets(one))));
  expect(facets.large).toBe(records.filter(({ points }) => points > 5).length);
  expect(await table.tally(next, 'owner', 'ann')).toEqual({ n: records.filter(({ owner }) => owner === 'ann').length });
  const north = { parent: { zone: 'north' }, paginateFrom: 0, paginateSize: 1 };
  expect((await table.list(next, north)).totalCount).toBe(records.filter(({ zone }) => zone === 'north').length);
  const coded = records.filter(({ code }) => code?.startsWith('code-'));
  const found = await table.list(next, { search: 'code', paginateFrom: 0, paginateSize: 1 });
  expect(found.totalCount).toBe(Math.min(1000, coded.length));
  expect(await verify(table, next)).toEqual({ records: records.length, differences: [], unsettled: 0 });
  expect((await rekeyAll(table, next)).rewritten).toBe(0);
});

test.each([
  ['short', 'longer'],
  [longNotes('one'), longNotes('another')],
])(
  'rekeying leaves records unchanged for callers and does not refuse a writer that read one before',
  async (notes, longer) => {
    const table = newOrganization(store.dynamo);
    const [old, next] = [ticketsWith('ticket'), nextTicketsWith('ticket')];
    const made = await table.create(old, draft({ points: 9, owner: 'ann', notes }));
    const read = await table.get(next, made.id);
    const listed = (await table.list(next, { paginateFrom: 0, paginateSize: 1 })).data[0];
    expect(await rekey(table, next)).toEqual({ next: undefined, seen: 1, rewritten: 1 });
    expect(await table.get(next, made.id)).toEqual(made);
    const written = await table.update(next, read, { points: 1, notes: longer });
    expect(written).toMatchObject({ version: 2, points: 1, notes: longer });
    expect(await table.facets(next)).toMatchObject({ large: 0, points: 1 });
    await expect(table.update(next, listed ?? read, { points: 7 })).rejects.toMatchObject({ code: 'conflict' });
    await expectCollection(table, next, [written]);
    await table.delete(old, await table.get(old, made.id));
    await expectCollection(table, next, []);
  },
);

test('records that somebody changes while rekey writes are brought to the new release like their neighbours', async () => {
  const table = openTable(store.connect(), newOrganization(store.dynamo).organizationId);
  const [old, next] = [ticketsWith('ticket'), nextTicketsWith('ticket')];
  await fill(table, old, { size: 3, random: () => 0.9 });
  const [first] = await allOf(table, old);
  const beside = openTable(store.dynamo, table.organizationId);
  overtakeOnce(table.dynamo, () => beside.modify(old, first?.id ?? '', () => ({ points: 2 })));
  expect(await rekey(table, next)).toMatchObject({ seen: 3, rewritten: 3 });
  expect((await allOf(table, next)).map(({ points }) => points)).toEqual([2, 9, 9]);
  expect(await rekey(table, next)).toMatchObject({ seen: 3, rewritten: 0 });
  expect((await verify(table, next)).differences).toEqual([]);
});

test('a repeated step of rekey counts nothing twice', async () => {
  const table = newOrganization(store.dynamo);
  const [old, next] = [ticketsWith('ticket'), nextTicketsWith('ticket')];
  await fill(table, old, { size: 50, random: dice(2) });
  const step = await rekey(table, next, { afterOrdinal: -1, limit: 30 });
  expect(step).toEqual({ next: 29, seen: 30, rewritten: 30 });
  expect(await rekey(table, next, { afterOrdinal: -1, limit: 30 })).toEqual({ ...step, rewritten: 0 });
  expect(await rekey(table, next, { afterOrdinal: 29, limit: 30 })).toEqual({
    next: undefined,
    seen: 20,
    rewritten: 20,
  });
  await expectCollection(table, next, await allOf(table, next));
});
