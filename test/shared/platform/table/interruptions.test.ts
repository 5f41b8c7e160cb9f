import { expect, test } from 'vitest';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { getRow } from '#shared/platform/table/io/read.ts';
import { typed } from '#shared/platform/table/io/typed.ts';
import { keysOf, type Row } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { dice, injectFaults } from '../../../support/faults.ts';
import { replayOldRows } from '../../../support/stale-reads.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { expectCollection } from './expectations.ts';
import { draft, longNotes, type Ticket, ticketsWith } from './models.ts';

const store = useStore();

const tickets = ticketsWith('ticket');

function bulkOf(table: Table, stamped: Ticket[]) {
  const batch = table.batch(true);
  const made = stamped.map((ticket) => batch.create(tickets, ticket));
  return { batch, made };
}

test('a bulk batch that died before its transaction is written once by its retry', async () => {
  const table = newOrganization(store.dynamo);
  const dying = openTable(store.connect(), table.organizationId);
  injectFaults(dying.dynamo, {
    random: () => 1,
    before: (command) => {
      if (command.startsWith('Transact')) throw new Error('killed');
    },
  });
  const ids = await table.reserve(tickets, 20);
  const stamped = ids.map((id, n) =>
    table.stamp<Ticket>({ id, ...draft({ owner: n % 2 ? 'ann' : null, code: `c${n}`, notes: `note ${n}` }) }),
  );
  await expect(bulkOf(dying, stamped).batch.commit()).rejects.toThrow('killed');
  expect(await table.list(tickets, { paginateFrom: 0, paginateSize: 50 })).toMatchObject({ data: [], totalCount: 0 });
  expect(await table.facets(tickets)).toEqual({});
  const { data } = await table.list(tickets, { search: 'pump', paginateFrom: 0, paginateSize: 50 });
  expect(data).toEqual([]);
  const { batch, made } = bulkOf(table, stamped);
  await batch.commit();
  await expectCollection(table, tickets, made);
  const again = bulkOf(table, stamped).batch;
  await expect(again.commit()).rejects.toMatchObject({ code: 'conflict' });
  await expectCollection(table, tickets, made);
});

test('a lost answer after the commit is no error and counts nothing twice', async () => {
  const table = newOrganization(store.dynamo);
  const unlucky = openTable(store.connect(), table.organizationId);
  let turn = 0;
  injectFaults(unlucky.dynamo, { random: () => (turn++ % 4 === 2 ? 0 : 0.99), lost: 0.5 });
  const made = await unlucky.create(tickets, draft({ code: 'c1', notes: 'long' }));
  const changed = await unlucky.update(tickets, made, { code: 'c2', status: 'fixed' });
  const other = await unlucky.create(tickets, draft({ code: 'c1' }));
  await unlucky.delete(tickets, other);
  expect(turn).toBeGreaterThan(8);
  await expectCollection(table, tickets, [changed]);
});

test('stale reads make no page fail and show no record twice', async () => {
  const table = newOrganization(store.dynamo);
  const stale = openTable(store.connect(), table.organizationId);
  const seen = replayOldRows(stale.dynamo);
  const made: Ticket[] = [];
  for (let n = 0; n < 12; n++) made.push(await table.create(tickets, draft({ owner: 'ann', points: n })));
  const queries = [{}, { filter: { status: 'open' } }, { parent: { owner: 'ann' } }];
  for (let round = 0; round < 12; round++) {
    const victim = made[round];
    if (victim && round % 3 === 0) await table.delete(tickets, victim);
    else if (victim) await table.update(tickets, victim, { status: 'fixed', owner: round % 2 ? null : 'ann' });
    await table.create(tickets, draft({ owner: 'ann' }));
    for (const query of queries)
      for (const paginateFrom of [0, 3, 7]) {
        const { data } = await stale.list(tickets, { ...query, paginateFrom, paginateSize: 5 });
        const ordinals = data.map(({ id }) => ordinalOf(id));
        expect(ordinals).toEqual([...new Set(ordinals)].toSorted((a, b) => b - a));
      }
    await stale.list(tickets, { search: 'pump', paginateFrom: 0, paginateSize: 5 });
    await stale.facets(tickets);
  }
  expect(seen.replayed()).toBeGreaterThan(50);
});

test('a unique value leads to the record that has it now, not to its previous holder', async () => {
  const table = newOrganization(store.dynamo);
  const stale = openTable(store.connect(), table.organizationId);
  replayOldRows(stale.dynamo);
  const taken = { field: 'code', value: 'taken' };
  let holder = await table.create(tickets, draft({ code: 'taken' }));
  for (let round = 0; round < 6; round++) {
    expect((await stale.findUnique(tickets, taken, true))?.id).toBe(holder.id);
    await table.update(tickets, holder, { code: null });
    expect(await stale.findUnique(tickets, taken, true)).toBeUndefined();
    holder = await table.create(tickets, draft({ code: 'taken' }));
  }
});

test('ids of two organizations with the same ordinal can be read in one request', async () => {
  const [one, two] = [newOrganization(store.dynamo), newOrganization(store.dynamo)];
  const [mine, theirs] = [await one.create(tickets, draft()), await two.create(tickets, draft())];
  expect(ordinalOf(mine.id)).toBe(ordinalOf(theirs.id));
  const found = await one.findMany(tickets, [theirs.id, mine.id]);
  expect(found.map(({ id }) => id)).toEqual([mine.id]);
});

test('a caller never gets the two rows of a record from different moments', async () => {
  const table = newOrganization(store.dynamo);
  const made = await table.create(tickets, draft({ notes: longNotes('first') }));
  const torn = openTable(store.connect(), table.organizationId);
  const { detail } = keysOf(table.tenant, tickets);
  const old = typed((await getRow(table.dynamo, detail(ordinalOf(made.id)))) as Row);
  const current = await table.update(tickets, made, { notes: longNotes('second') });
  let torn1 = 0;
  torn.dynamo.client.middlewareStack.add(
    (next, context) => async (args) => {
      const answer = await next(args);
      if (context.commandName !== 'BatchGetItemCommand' || torn1++ > 0) return answer;
      const { Responses } = (answer as unknown as { output: { Responses: Record<string, (typeof old)[]> } }).output;
      for (const rows of Object.values(Responses))
        for (const [n, row] of rows.entries()) if (JSON.stringify(row.pk) === JSON.stringify(old.pk)) rows[n] = old;
      return answer;
    },
    { step: 'initialize', priority: 'high', name: 'torn' },
  );
  expect(await torn.get(tickets, made.id)).toEqual(current);
  expect(torn1).toBe(2);
});

test('records that the table leaves unread under load are not missing in the answer', async () => {
  const table = newOrganization(store.dynamo);
  const loaded = openTable(store.connect(), table.organizationId);
  const ids: string[] = [];
  for (let n = 0; n < 9; n++) ids.push((await table.create(tickets, draft({ notes: longNotes(`${n}`) }))).id);
  injectFaults(loaded.dynamo, { random: dice(5), unprocessed: 0.5 });
  expect((await loaded.findMany(tickets, ids)).map(({ id }) => id)).toEqual(ids);
  for (const [n, id] of ids.entries())
    expect(await loaded.get(tickets, id)).toMatchObject({ notes: longNotes(`${n}`) });
});

test.each([
  ['in its own row', 'short'],
  ['in a second row', longNotes('long')],
])('updating a record from a list does not erase its long fields that lie %s', async (_, notes) => {
  const table = newOrganization(store.dynamo);
  const made = await table.create(tickets, draft({ notes }));
  const [listed] = (await table.list(tickets, { paginateFrom: 0, paginateSize: 1 })).data;
  if (!listed) throw new Error('one was made');
  expect(listed).not.toHaveProperty('notes');
  const changed = await table.update(tickets, listed, { status: 'fixed' });
  expect(await table.get(tickets, made.id)).toEqual({ ...changed, notes });
  const [again = listed] = (await table.list(tickets, { paginateFrom: 0, paginateSize: 1 })).data;
  await expect(table.update(tickets, again, { notes: 'short' })).rejects.toThrow('read the record by get');
});

test('long fields move between the record and a second row as they grow and shrink, and no row stays behind', async () => {
  const table = newOrganization(store.dynamo);
  const { id } = await table.create(tickets, draft({ notes: 'short' }));
  const side = () => getRow(table.dynamo, keysOf(table.tenant, tickets).detail(ordinalOf(id)), true);
  for (const notes of ['short', longNotes('one'), longNotes('another'), 'short again', longNotes('one')]) {
    await table.modify(tickets, id, () => ({ notes }));
    expect(await table.get(tickets, id, true)).toMatchObject({ notes });
    expect((await side()) !== undefined).toBe(notes.length > 100);
  }
  await table.delete(tickets, await table.get(tickets, id, true));
  expect(await side()).toBeUndefined();
});

test('twenty writers of one record all succeed', async () => {
  const table = newOrganization(store.dynamo);
  const { id } = await table.create(tickets, draft({ points: 0 }));
  const raise = () => table.modify(tickets, id, ({ points }) => ({ points: points + 1 }));
  await Promise.all(Array.from({ length: 20 }, raise));
  expect(await table.get(tickets, id, true)).toMatchObject({ points: 20, version: 21 });
  expect(await table.facets(tickets)).toMatchObject({ points: 20, 'status:open': 1 });
});

test('a value that another record has is refused at once and changes nothing', async () => {
  const table = newOrganization(store.dynamo);
  const first = await table.create(tickets, draft({ code: 'c1' }));
  const second = await table.create(tickets, draft({ code: 'c2' }));
  let asked = 0;
  const take = table.modify(tickets, second.id, () => {
    asked++;
    return { code: 'c1', status: 'fixed' as const };
  });
  await expect(take).rejects.toMatchObject({ code: 'conflict', details: [{ path: 'code', message: 'c1 is taken' }] });
  expect(asked).toBe(1);
  await expectCollection(table, tickets, [first, second]);
});
