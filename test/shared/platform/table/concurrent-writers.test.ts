import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { dice, injectFaults } from '../../../support/faults.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { expectCollection } from './expectations.ts';
import { draft, type Ticket, ticketsWith } from './models.ts';
import { type Known, operation, survivors, write } from './writers.ts';

const store = useStore();

const writers = fc.array(fc.array(operation, { maxLength: 14 }), { minLength: 1, maxLength: 4 });

test.each([1, 4])(
  'counters, lists, searches and unique values stay exact with several writers and a bad network (%i shards)',
  async (shards) => {
    const tickets = ticketsWith(`ticket${shards}`, shards);
    await fc.assert(
      fc.asyncProperty(writers, fc.nat(), async (all, seed) => {
        const calm = newOrganization(store.dynamo);
        const known: Known = { latest: new Map<string, Ticket>(), deleted: new Set<string>() };
        const random = dice(seed);
        await Promise.all(
          all.map((operations) => {
            const dynamo = store.connect();
            injectFaults(dynamo, { random, conflict: 0.15, throttle: 0.05, lost: 0.15, unprocessed: 0.3 });
            return write(openTable(dynamo, calm.organizationId), tickets, { operations, known });
          }),
        );
        const records = survivors(known);
        for (const record of records) expect(await calm.get(tickets, record.id, true)).toEqual(record);
        for (const id of known.deleted) expect(await calm.find(tickets, id, true)).toBeUndefined();
        await expectCollection(calm, tickets, records);
      }),
      { numRuns: runs(4, 20), endOnFailure: true },
    );
  },
);

test('a worker of the journal whom others overtake each time is done when its own notes are in the index', async () => {
  const tickets = ticketsWith('ticket');
  const table = newOrganization(store.dynamo);
  const overtaken = openTable(store.connect(), table.organizationId);
  const note = async (by: Table): Promise<Ticket> => {
    const [id = ''] = await by.reserve(tickets, 1);
    const batch = by.batch(true);
    const ticket = batch.create(tickets, by.stamp<Ticket>({ id, ...draft() }));
    await batch.commit();
    return ticket;
  };
  const records = [await note(overtaken)];
  injectFaults(overtaken.dynamo, {
    random: () => 1,
    before: async (command) => {
      if (!command.startsWith('Transact')) return;
      await table.workJournal(tickets);
      records.push(await note(table));
    },
  });
  await overtaken.workJournal(tickets);
  expect(await table.list(tickets, { search: 'pump', paginateFrom: 0, paginateSize: 5 })).toMatchObject({
    totalCount: 1,
  });
  expect(records).toHaveLength(2);
  await expectCollection(table, tickets, records);
});
