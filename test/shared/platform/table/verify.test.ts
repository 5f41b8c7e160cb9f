import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { newId, ordinalOf } from '#shared/platform/runtime/ids.ts';
import { writeRows } from '#shared/platform/table/io/commit.ts';
import { getRow } from '#shared/platform/table/io/read.ts';
import { type Key, keysOf } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { dice, injectFaults } from '../../../support/faults.ts';
import { findingDraft } from '../../../support/findings.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { expectCollection } from './expectations.ts';
import { draft, statuses, type Ticket, ticketsWith } from './models.ts';

const store = useStore();
afterEach(() => setClock());

const tickets = ticketsWith('ticket');

const addTo = ({ dynamo }: Table, Key: Key, { name, amount }: { name: string; amount: number | bigint }) =>
  dynamo.client.send(
    new UpdateCommand({
      TableName: dynamo.tableName,
      Key,
      UpdateExpression: 'ADD #n :a',
      ExpressionAttributeNames: { '#n': name },
      ExpressionAttributeValues: { ':a': amount },
    }),
  );

async function threeTickets(table: Table): Promise<Ticket[]> {
  const drafts = [draft({ owner: 'ann', code: 'c1' }), draft({ title: 'leaking valve' }), draft({ status: 'fixed' })];
  const made: Ticket[] = [];
  for (const one of drafts) made.push(await table.create(tickets, one));
  return made;
}

test('wrong counters, positions, search and unique rows are reported and repaired', async () => {
  const table = newOrganization(store.dynamo);
  const [first, second, third] = await threeTickets(table);
  if (!first || !second || !third) throw new Error('three were made');
  const keys = keysOf(table.tenant, tickets);
  const at = ordinalOf(first.id);
  await addTo(table, keys.facets(at), { name: 'status:open', amount: 5 });
  await addTo(table, keys.tally('zone', 'north', at), { name: 'n', amount: -1 });
  await addTo(table, keys.mask('', tickets.main, at), { name: 'm0', amount: 2n ** 100n });
  await addTo(table, keys.page('', tickets.main, at), { name: 'n5_0', amount: 10n ** 20n });
  const owned = tickets.parents.owner?.shape ?? tickets.main;
  await addTo(table, keys.mask('owner=ann', owned, at), { name: 'm0', amount: -(2n ** BigInt(at)) });
  await addTo(table, keys.mark('pump', at), { name: 'm0', amount: -(2n ** BigInt(at)) });
  await addTo(table, keys.mark('zone=north', at), { name: 'm1', amount: 1n });
  const stray = keys.rank('points:pebble', ordinalOf(second.id));
  await table.dynamo.client.send(new PutCommand({ TableName: table.dynamo.tableName, Item: stray }));
  await table.dynamo.client.send(
    new DeleteCommand({ TableName: table.dynamo.tableName, Key: keys.unique('code', 'c1') }),
  );
  const report = await verify(table, tickets);
  expect(report).toMatchObject({ records: 3, unsettled: 0 });
  expect(
    report.differences.map(({ kind, attribute, stands, expected }) => [kind, attribute, stands, expected]),
  ).toEqual(
    expect.arrayContaining([
      ['counter', 'status:open', 7n, 2n],
      ['counter', 'n', 2n, 3n],
      ['counter', 'm0', 2n ** 100n + 3n, 3n],
      ['counter', 'm1', 1n, 0n],
      ['rank', undefined, 'points:pebble', null],
      ['unique', undefined, null, first.id],
    ]),
  );
  expect(report.differences).toHaveLength(9);
  expect(report.differences.every(({ repaired }) => !repaired)).toBe(true);
  expect((await verify(table, tickets)).differences).toHaveLength(9);
  const repair = await verify(table, tickets, { repair: true });
  expect(repair.differences.every(({ repaired }) => repaired)).toBe(true);
  await expectCollection(table, tickets, [first, second, third]);
});

test('a unique value of two records is reported and left for a person to decide', async () => {
  const table = newOrganization(store.dynamo);
  const [first] = await threeTickets(table);
  const { unique } = keysOf(table.tenant, tickets);
  await table.dynamo.client.send(
    new PutCommand({ TableName: table.dynamo.tableName, Item: { ...unique('code', 'c1'), id: 'another' } }),
  );
  const { differences } = await verify(table, tickets, { repair: true });
  expect(differences).toMatchObject([{ kind: 'unique', stands: 'another', expected: first?.id, repaired: false }]);
});

test('a unique value that its record gives up while it is compared is no difference', async () => {
  const table = newOrganization(store.dynamo);
  const [first] = await threeTickets(table);
  const reader = openTable(store.connect(), table.organizationId);
  let once = true;
  injectFaults(reader.dynamo, {
    random: () => 1,
    before: async (command, input) => {
      if (!once || !command.startsWith('BatchGet') || !JSON.stringify(input).includes('#u#code#c1')) return;
      once = false;
      await table.modify(tickets, first?.id ?? '', () => ({ code: 'c2' }));
    },
  });
  expect((await verify(reader, tickets, { repair: true })).differences).toEqual([]);
  expect(once).toBe(false);
  expect((await verify(table, tickets)).differences).toEqual([]);
});

test('each of several unique values of a record is found, counted as one of several, and repaired', async () => {
  const table = newOrganization(store.dynamo);
  const made = await table.create(tickets, draft({ code: 'c1' }));
  const { unique } = keysOf(table.tenant, tickets);
  const rowOf = (code: string) => getRow(table.dynamo, unique('code', code), true);
  expect(await rowOf('c1')).not.toHaveProperty('several');
  await table.update(tickets, made, { codes: ['c2'] });
  for (const code of ['c1', 'c2']) expect(await rowOf(code)).toMatchObject({ id: made.id, several: true });
  await expect(table.create(tickets, draft({ code: 'c2' }))).rejects.toMatchObject({ code: 'conflict' });
  const { dynamo } = table;
  await dynamo.client.send(new DeleteCommand({ TableName: dynamo.tableName, Key: unique('code', 'c2') }));
  await dynamo.client.send(
    new PutCommand({ TableName: dynamo.tableName, Item: { ...unique('code', 'c1'), id: made.id } }),
  );
  const { differences } = await verify(table, tickets, { repair: true });
  expect(differences.map(({ kind, repaired }) => [kind, repaired])).toEqual([
    ['unique', true],
    ['unique', true],
  ]);
  for (const code of ['c1', 'c2']) expect(await rowOf(code)).toMatchObject({ id: made.id, several: true });
  await table.update(tickets, await table.get(tickets, made.id, true), { codes: [] });
  expect(await rowOf('c1')).not.toHaveProperty('several');
  expect(await rowOf('c2')).toBeUndefined();
});

test('rank rows that a batch wrote ahead of its records are not taken away from it', async () => {
  const table = newOrganization(store.dynamo);
  await threeTickets(table);
  const [id = ''] = await table.reserve(tickets, 1);
  const rank = keysOf(table.tenant, tickets).rank('points:ahead', ordinalOf(id));
  await table.dynamo.client.send(new PutCommand({ TableName: table.dynamo.tableName, Item: rank }));
  expect(await verify(table, tickets, { repair: true })).toEqual({ records: 3, differences: [], unsettled: 1 });
  await table.create(tickets, draft());
  const later = nowMs() + 2 * 3_600_000;
  setClock(() => later);
  const { differences } = await verify(table, tickets, { repair: true });
  expect(differences).toMatchObject([{ kind: 'rank', stands: 'points:ahead', expected: null, repaired: true }]);
});

test('a repair beside running writers corrects what was wrong and breaks nothing', async () => {
  const table = newOrganization(store.dynamo);
  const [first] = await threeTickets(table);
  const keys = keysOf(table.tenant, tickets);
  await addTo(table, keys.tally('zone', 'north', ordinalOf(first?.id ?? '')), { name: 'points', amount: 40 });
  let running = true;
  const writers = [1, 2].map(async (seed) => {
    const own = openTable(store.connect(), table.organizationId);
    injectFaults(own.dynamo, { random: dice(seed), conflict: 0.1, lost: 0.1 });
    const made: Ticket[] = [];
    for (let turn = 0; running; turn++) {
      made.push(await own.create(tickets, draft({ zone: turn % 3 ? 'south' : 'north', owner: 'bob' })));
      const [oldest] = made;
      if (oldest) await own.modify(tickets, oldest.id, () => ({ status: statuses[turn % 2] }));
      if (oldest && turn % 5 === 4) await own.delete(tickets, await own.get(tickets, made.shift()?.id ?? '', true));
    }
  });
  for (let n = 0; n < 8; n++) await verify(table, tickets, { repair: true });
  running = false;
  await Promise.all(writers);
  await verify(table, tickets, { repair: true });
  const { totalCount } = await table.list(tickets, { paginateFrom: 0, paginateSize: 1 });
  const all = await table.list(tickets, { paginateFrom: 0, paginateSize: 500 });
  expect(totalCount).toBe((await verify(table, tickets)).records);
  const records = await Promise.all(all.data.map(({ id }) => table.get(tickets, id, true)));
  if (totalCount <= 500) await expectCollection(table, tickets, records);
  expect(await verify(table, tickets)).toEqual({ records: totalCount, differences: [], unsettled: 0 });
});

test('a unique value in the detail row of a long record is compared too', async () => {
  const table = newOrganization(store.dynamo);
  const text = Array.from({ length: 400 }, () => newId()).join(' ');
  const finding = await table.create(findings, { ...findingDraft('2026-01-05T08:00:00.000Z'), description: text });
  expect((await verify(table, findings)).differences).toEqual([]);
  const key = keysOf(table.tenant, findings).unique('fingerprint', finding.fingerprint);
  await writeRows(table.dynamo, { remove: [key] });
  const { differences } = await verify(table, findings);
  expect(differences).toMatchObject([{ kind: 'unique', pk: key.pk, expected: finding.id, stands: null }]);
});
