import { expect, test } from 'vitest';
import type { Adds } from '#shared/platform/table/layout/contribution.ts';
import { type Key, keysOf, MARK_LAYOUT } from '#shared/platform/table/layout/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { takeBlocks } from '#shared/platform/table/upkeep/recount.ts';
import { rekey } from '#shared/platform/table/upkeep/rekey.ts';
import { RANGE } from '#shared/platform/table/upkeep/walk.ts';
import { injectFaults } from '../../../support/faults.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { expectCollection } from './expectations.ts';
import { draft, nextTicketsWith, type Ticket, ticketsWith } from './models.ts';

const store = useStore();
const [old, next] = [ticketsWith('ticket'), nextTicketsWith('ticket')];

/** Tickets that are alike, so that they share their counters and each adds one row to a transaction. */
async function fill(table: Table, size: number, fields: Partial<Ticket>): Promise<Ticket[]> {
  const made: Ticket[] = [];
  while (made.length < size) {
    const ids = await table.reserve(old, Math.min(25, size - made.length));
    const batch = table.batch(true);
    for (const id of ids) made.push(batch.create(old, table.stamp<Ticket>({ id, ...draft(fields) })));
    await batch.commit();
  }
  await table.workJournal(old);
  return made;
}

test('a rekey writes as many records in each transaction as fit it, so that counters are written seldom', async () => {
  const table = newOrganization(store.dynamo);
  const ofAnn = await fill(table, 96, { owner: 'ann', zone: 'north' });
  const ofBob = await fill(table, 134, { owner: 'bob', zone: 'south' });
  const sizes: number[] = [];
  const end = injectFaults(table.dynamo, {
    random: () => 1,
    before: (command, input) => {
      if (command.startsWith('Transact')) sizes.push((input as { TransactItems: unknown[] }).TransactItems.length);
    },
  });
  expect(await rekey(table, next)).toMatchObject({ seen: 230, rewritten: 230 });
  end();
  expect(sizes).toEqual([100, 100, expect.any(Number)]);
  await expectCollection(table, next, [...ofAnn, ...ofBob]);
});

test('a verification compares a block with the range that it ends in, and counts of all records at the end', () => {
  const keys = keysOf('scope', old);
  const { span } = old.main;
  const before = 2 * MARK_LAYOUT.span;
  expect([RANGE, before % span]).toEqual([before, 0]);
  const ofRange = [
    keys.mark('pump', 0),
    keys.mark('pump', before - 1),
    keys.mark('zone=north', before - 1),
    keys.mark('points>0999999', before - 1),
    keys.mask('', old.main, before - 1),
    keys.mask('list that is declared no more=x', old.main, before + 1),
  ];
  const later = [
    keys.mark('pump', before),
    keys.mark('zone=north', before),
    keys.mark('points>0999999', before),
    keys.mask('', old.main, before),
    keys.mask('owner=ann', old.parents.owner?.shape ?? old.main, before),
    keys.facets(0),
    keys.tally('zone', 'north', 0),
    keys.page('', old.main, 0),
    keys.page('owner=ann', old.main, 0),
  ];
  const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;
  const rows: Adds = new Map([...ofRange, ...later].map((key) => [nameOf(key), { key, add: new Map() }]));
  const taken = takeBlocks(rows, keys, { lists: old, before });
  expect([...taken.keys()]).toEqual(ofRange.map(nameOf));
  expect([...rows.keys()]).toEqual(later.map(nameOf));
});
