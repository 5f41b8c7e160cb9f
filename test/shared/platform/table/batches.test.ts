import { describe, expect, test } from 'vitest';
import { MAX_TRANSACTION } from '#shared/platform/table/io/commit.ts';
import { queryRows } from '#shared/platform/table/io/read.ts';
import { keysOf } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { injectFaults } from '../../../support/faults.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { expectCollection } from './expectations.ts';
import { draft, type Ticket, ticketsWith } from './models.ts';

const store = useStore();
const tickets = ticketsWith('ticket');

async function stamped(table: Table, size: number): Promise<Ticket[]> {
  const ids = await table.reserve(tickets, size);
  return ids.map((id, n) =>
    table.stamp<Ticket>({ id, ...draft({ zone: `z${n % 5}`, owner: n % 3 ? null : `o${n}` }) }),
  );
}

/** A bulk batch of its own for each of the records. */
async function commitEach(table: Table, records: readonly Ticket[]): Promise<Ticket[]> {
  const made: Ticket[] = [];
  for (const one of records) {
    const batch = table.batch(true);
    made.push(batch.create(tickets, one));
    await batch.commit();
  }
  return made;
}

describe('a batch takes records of two organizations until it is full, and no record too few', () => {
  test.each([
    ['plain', false],
    ['bulk', true],
  ])('a %s one', async (_, bulk) => {
    const tables = [newOrganization(store.dynamo), newOrganization(store.dynamo)] as const;
    const records = await Promise.all(tables.map((table) => stamped(table, 60)));
    const at = (n: number) => [tables[n % 2 === 0 ? 0 : 1], records[n % 2]?.[n >> 1] ?? expect.fail()] as const;
    const [own] = tables;
    const [batch, whole] = [own.batch(bulk), own.batch(bulk)];
    const made: Ticket[][] = [[], []];
    const add = (to: typeof batch, n: number) => {
      const [{ tenant }, ticket] = at(n);
      return to.within(tenant).create(tickets, ticket);
    };
    let taken = 0;
    while (batch.takes((to) => void made[taken % 2]?.push(add(to, taken)), 2)) {
      add(whole, taken++);
      expect(batch.size()).toBe(whole.size());
    }
    expect(whole.size()).toBeLessThanOrEqual(MAX_TRANSACTION - 2);
    add(whole, taken);
    expect(whole.size()).toBeGreaterThan(MAX_TRANSACTION - 2);
    await batch.commit();
    await batch.next().commit();
    for (const [n, table] of tables.entries()) {
      await table.workJournal(tickets);
      await expectCollection(table, tickets, made[n] ?? []);
    }
  });
});

test.each([false, true])(
  'what a further record needs in other rows counts, to the last of them (bulk: %s)',
  async (bulk) => {
    const [own, other] = [newOrganization(store.dynamo), newOrganization(store.dynamo)];
    const [[first = expect.fail()], [second = expect.fail()]] = [await stamped(own, 1), await stamped(other, 1)];
    const begun = () => {
      const batch = own.batch(bulk);
      batch.create(tickets, first);
      return batch;
    };
    const whole = begun();
    whole.within(other.tenant).create(tickets, second);
    const left = MAX_TRANSACTION - whole.size();
    const takes = (spare: number) => begun().takes((to) => void to.within(other.tenant).create(tickets, second), spare);
    expect([takes(left), takes(left + 1)]).toEqual([true, false]);
  },
);

test('a bulk batch that changes no row beside the record notes nothing', async () => {
  const table = newOrganization(store.dynamo);
  const untallied = { ...tickets, tallies: () => [] };
  const made = await table.create(untallied, draft());
  const batch = table.batch(true);
  batch.update(untallied, made, table.changed(made, { notes: 'other' }));
  expect(batch.size()).toBe(2); // the record, and what the feed is told
});

test('a change that a plain batch takes of a record whose marks are still noted finds them in their place', async () => {
  const table = newOrganization(store.dynamo);
  const made = await commitEach(table, await stamped(table, 3));
  const [first = expect.fail(), second = expect.fail(), third = expect.fail()] = made;
  const batch = table.batch();
  const fixed: Ticket[] = [];
  for (const ticket of [second, first]) {
    const change = table.changed(ticket, { status: 'fixed' as const });
    expect(batch.takes((to) => void fixed.push(to.update(tickets, ticket, change)))).toBe(true);
  }
  await batch.commit();
  const page = { paginateFrom: 0, paginateSize: 5 };
  for (const query of [{ filter: { status: 'fixed' } }, { where: { status: 'fixed', zone: ['z0', 'z1'] } }]) {
    const { data, totalCount } = await table.list(tickets, { ...query, ...page });
    expect([data.map(({ id }) => id), totalCount]).toEqual([[second.id, first.id], 2]);
  }
  await expectCollection(table, tickets, [...fixed, third]);
});

test('the notes of any number of bulk batches are all worked in, and none of them is left', async () => {
  const table = newOrganization(store.dynamo);
  const made = await commitEach(table, await stamped(table, 92));
  await table.workJournal(tickets);
  const page = { paginateFrom: 0, paginateSize: 1 };
  expect(await table.list(tickets, { search: 'pump', ...page })).toMatchObject({ totalCount: 92 });
  const { pk } = keysOf(table.tenant, tickets).journal('');
  expect(await queryRows(table.dynamo, { pk, all: true, consistent: true })).toEqual([]);
  await expectCollection(table, tickets, made);
});

/** A worker of the journal that stops before one of its transactions until it may go on. */
function slowWorker(table: Table, transaction: number) {
  const dynamo = store.connect();
  const [stopped, onward] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let begun = 0;
  injectFaults(dynamo, {
    random: () => 1,
    async before(command) {
      if (!command.startsWith('Transact') || ++begun !== transaction) return;
      stopped.resolve();
      await onward.promise;
    },
  });
  const done = openTable(dynamo, table.organizationId).workJournal(tickets);
  return { stopped: stopped.promise, goOn: onward.resolve, done };
}

test('a worker that has read fewer notes than another one works none of them in twice, and leaves none behind', async () => {
  const table = newOrganization(store.dynamo);
  const records = await stamped(table, 92);
  const made = await commitEach(table, records.slice(0, 1));
  const small = slowWorker(table, 1);
  await small.stopped;
  made.push(...(await commitEach(table, records.slice(1))));
  const large = slowWorker(table, 2);
  await large.stopped;
  small.goOn();
  await small.done;
  large.goOn();
  await large.done;
  await expectCollection(table, tickets, made);
});

test('bulk batches that change records again are worked in together, whatever they take back', async () => {
  const table = newOrganization(store.dynamo);
  const made = await commitEach(table, await stamped(table, 12));
  await table.workJournal(tickets);
  const changed: Ticket[] = [];
  for (const [n, ticket] of made.entries()) {
    const batch = table.batch(true);
    const next = table.changed(ticket, { status: n % 2 ? 'fixed' : 'accepted', title: `valve ${n}`, zone: `y${n}` });
    changed.push(batch.update(tickets, ticket, next));
    await batch.commit();
  }
  await expectCollection(table, tickets, changed);
});
