import { describe, expect, test } from 'vitest';
import { newId, shortId } from '#shared/platform/runtime/ids.ts';
import { existsCheck } from '#shared/platform/table/exists-check.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import { inOrganization, openTable } from '#shared/platform/table/table.ts';
import { isCopied, isCopiedObject } from '#shared/platform/table/upkeep/copies.ts';
import { isOwned } from '#shared/platform/table/upkeep/owned.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { draft, ticketsWith } from './models.ts';

const store = useStore();
const tickets = ticketsWith('ticket');

describe('a record', () => {
  test('is not found by what is no id, by the id of another organization, or after it is gone', async () => {
    const [table, other] = [newOrganization(store.dynamo), newOrganization(store.dynamo)];
    const made = await table.create(tickets, draft());
    const foreign = await other.create(tickets, draft());
    for (const id of ['', 'no-id', newId(), foreign.id]) {
      expect(await table.find(tickets, id, true)).toBeUndefined();
      await expect(table.get(tickets, id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(table.modify(tickets, id, () => ({ points: 9 }))).rejects.toMatchObject({ code: 'not_found' });
    }
    await table.delete(tickets, made);
    await expect(table.delete(tickets, made)).rejects.toMatchObject({ code: 'not_found' });
    await expect(table.update(tickets, made, { points: 9 })).rejects.toMatchObject({ code: 'not_found' });
    expect(await table.facets(tickets)).toMatchObject({ 'status:open': 0, points: 0 });
  });

  test('that changed since it was read is not overwritten, and the writer gets the current record', async () => {
    const table = newOrganization(store.dynamo);
    const made = await table.create(tickets, draft());
    const current = await table.update(tickets, made, { points: 5 });
    await expect(table.update(tickets, made, { points: 9 })).rejects.toMatchObject({ code: 'conflict', current });
    await expect(table.delete(tickets, made)).rejects.toMatchObject({ code: 'conflict' });
    expect(await table.get(tickets, made.id, true)).toEqual(current);
  });

  test('that was not read from the table cannot be changed: nobody knows what it counted', async () => {
    const table = newOrganization(store.dynamo);
    const made = await table.create(tickets, draft());
    await expect(table.update(tickets, { ...made }, { points: 9 })).rejects.toThrow(/read from the table/);
  });

  test('for which nothing is to be done stays as it is', async () => {
    const table = newOrganization(store.dynamo);
    const made = await table.create(tickets, draft());
    expect(await table.modify(tickets, made.id, () => undefined)).toEqual(made);
    expect(await table.get(tickets, made.id, true)).toMatchObject({ version: 1, updatedAt: made.updatedAt });
  });

  test('is among many found once, in the order asked for, without those that are gone', async () => {
    const table = newOrganization(store.dynamo);
    const made = [await table.create(tickets, draft()), await table.create(tickets, draft())];
    const [one, two] = made.map(({ id }) => id);
    const found = await table.findMany(tickets, [two ?? '', 'no-id', one ?? '', newId(), two ?? '']);
    expect(found.map(({ id }) => id)).toEqual([two, one]);
    expect(await table.findMany(tickets, [])).toEqual([]);
  });

  test('cannot be created twice under one id, and the second attempt counts nothing', async () => {
    const table = newOrganization(store.dynamo);
    const made = await table.create(tickets, draft({ points: 3 }));
    await expect(table.create(tickets, { ...draft({ points: 4 }), id: made.id })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await table.facets(tickets)).toMatchObject({ points: 3 });
    expect(await table.get(tickets, made.id, true)).toEqual(made);
  });
});

const children = defineRow<{ of: string }>({ name: 'child', about: 'a row of a record', key: ({ of }) => [of] });

test('a row that must not outlive a record is written only while the record exists', async () => {
  const [table, other] = [newOrganization(store.dynamo), newOrganization(store.dynamo)];
  const made = await table.create(tickets, draft());
  const foreign = await other.create(tickets, draft());
  const write = async (id: string) => {
    const batch = table.batch();
    batch.write(putWrite(table.tenant, children, { row: { of: id } }), existsCheck(table, tickets, id));
    await batch.commit();
  };
  const written = async (id: string) => (await table.rows(children).find({ of: id }, true)) !== undefined;
  await write(made.id);
  expect(await written(made.id)).toBe(true);
  // an id of another organization has the same place here
  await expect(write(foreign.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await written(foreign.id)).toBe(false);
  await table.rows(children).remove({ of: made.id });
  await table.delete(tickets, made);
  await expect(write(made.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await written(made.id)).toBe(false);
});

test('work for another organization keeps the actor and the cause, and has the key scope of that organization', () => {
  const [own, other] = [newId(), newId()];
  const author = { kind: 'user', id: 'ann', name: 'Ann', cause: { operation: 'getTask' } } as const;
  const table = openTable(store.dynamo, own, author);
  for (const same of [null, undefined, own]) expect(inOrganization(table, same)).toBe(table);
  const theirs = inOrganization(table, other);
  expect(theirs).toMatchObject({ organizationId: other, tenant: shortId(other), actor: table.actor });
  expect(theirs.cause).toEqual(author.cause);
  expect(theirs.actor).toEqual({ kind: 'user', id: 'ann', name: 'Ann' });
});

test('tallies are read between two values, both included, without values of which nothing is left', async () => {
  const table = newOrganization(store.dynamo);
  for (const zone of ['2026-01', '2026-02', '2026-02', '2026-03', '2026-03x', '2026-04'])
    await table.create(tickets, draft({ zone }));
  const gone = await table.create(tickets, draft({ zone: '2026-025' }));
  await table.delete(tickets, gone);
  const values = async (between?: { from: string; to: string }) =>
    (await table.tallies(tickets, 'zone', between)).map(({ value, counts }) => `${value} ${counts.n}`);
  expect(await values({ from: '2026-02', to: '2026-03' })).toEqual(['2026-02 2', '2026-03 1']);
  expect(await values()).toEqual(['2026-01 1', '2026-02 2', '2026-03 1', '2026-03x 1', '2026-04 1']);
});

describe('rows of an organization', () => {
  const [one, two] = [newId(), newId()];
  const scope = (table: string, ...rest: string[]) => ({ pk: [table, ...rest].join('#'), sk: '-' });
  const rowsOf = (id: string) => ({
    'its own': scope(shortId(id), 'note', 'a'),
    'its own record': { ...scope(shortId(id), 'ticket', '0'), _c: 'x' },
    'a timer that names it in its key': scope('global', 'timer', id),
    'a turn that names it by its short id': { ...scope('global', 'turn', '1'), of: shortId(id) },
    'one with its id in an attribute': { ...scope('global', 'source', '1'), organizationId: id },
    'one in a list of an attribute': { ...scope('global', 'source', '2'), all: ['x', { id }] },
    'a pool that it provides': { ...scope('global', 'pool', '1'), providerId: id, others: [two] },
  });
  const others = {
    'a record that all share and that names it': { ...scope('global', 'organization', '0'), _c: 'x', id: one },
    'the long fields of one': { ...scope('global', 'organization', 'd0'), _v: 1, id: one },
    'a pool that another provides to it': { ...scope('global', 'pool', '1'), providerId: two, others: [one] },
    'one that names nobody': scope('global', 'timer', 'x'),
    'one that holds it packed': { ...scope('global', 'change-inbox', '1'), z: new Uint8Array(Buffer.from(one)) },
    'a row of another that names it in its key': scope(shortId(two), 'note', one),
    'a row of another that names it in an attribute': { ...scope(shortId(two), 'note', '1'), of: one },
  };

  test.each(Object.entries(rowsOf(one)))('%s goes with the organization and into its copy', (_, row) => {
    expect([isOwned(one, row), isCopied(one, row)]).toEqual([true, true]);
  });

  test.each(Object.entries({ ...others, ...rowsOf(two) }))('%s belongs to another and stays', (_, row) => {
    expect([isOwned(one, row), isCopied(one, row)]).toEqual([false, false]);
  });

  test("a row of another's machine that works for it goes with it, but into no copy", () => {
    const row = { ...scope(shortId(two), 'presence', '1'), organizationId: one };
    expect([isOwned(one, row), isCopied(one, row)]).toEqual([true, false]);
  });

  test('objects are those below its id, and no part of a copy', () => {
    expect(isCopiedObject(one, `uploads/${one}/x`)).toBe(true);
    expect(isCopiedObject(one, `uploads/${two}/x`)).toBe(false);
    expect(isCopiedObject(one, `uploads/x${one}/x`)).toBe(false);
    expect(isCopiedObject(one, `organization-copies/${one}/c/objects/x`)).toBe(false);
  });
});
