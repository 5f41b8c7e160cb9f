import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOrganization } from '#shared/credentials/bootstrap.ts';
import type { Entity } from '#shared/platform/table/entity.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { moveFacets, noteMoved } from '#shared/platform/table/together.ts';
import { rekey } from '#shared/platform/table/upkeep/rekey.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { draft, type Ticket, ticketsWith, writeTickets } from './models.ts';

const store = useStore();

type Tickets = Entity<Ticket, 'notes'>;
const apart: Tickets = ticketsWith('joint');
const joint: Tickets = { ...apart, together: true };
/** Its name begins with the name of the other. */
const jointly: Tickets = { ...ticketsWith('jointly'), together: true };

const steps = fc.array(
  fc.record({
    /** The collection as one of the two releases declares it. */
    entity: fc.constantFrom(apart, joint),
    kind: fc.constantFrom('create', 'create', 'update', 'delete'),
    pick: fc.nat(),
    fields: fc.record({
      points: fc.integer({ min: 1, max: 9 }),
      status: fc.constantFrom('open' as const, 'fixed' as const),
    }),
  }),
  { minLength: 1, maxLength: 12 },
);

test('counters are exact while functions of two releases count in two rows, and while one row moves to the other', async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, async (first, later) => {
      const table = newOrganization(store.dynamo);
      const records = await writeTickets(table, first);
      const expected = recount(records);
      const [seen] = await Promise.all([readMany(table, 6), moveFacets({ ...table, entity: joint })]);
      for (const facets of seen) expect(facets).toEqual(expected);
      // of the old release one more writes, and rekey runs again when none is left
      const all = await writeTickets(table, later, records);
      expect(present(await table.facets(joint))).toEqual(recount(all));
      await rekey(table, joint);
      await noteMoved(table);
      expect(present(await table.facets(joint))).toEqual(recount(all));
      expect(present(await table.facets(joint, true))).toEqual(recount(all));
      expect((await verify(table, joint)).differences).toEqual([]);
    }),
    { numRuns: 10 },
  );
});

const present = (facets: Record<string, number>) =>
  Object.fromEntries(Object.entries(facets).filter(([, n]) => n !== 0));

function recount(records: readonly Ticket[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const record of records)
    for (const [name, n] of Object.entries(joint.facets(record))) sums[name] = (sums[name] ?? 0) + n;
  return sums;
}

async function readMany(table: Table, times: number) {
  const found: Record<string, number>[] = [];
  for (let n = 0; n < times; n++) found.push(present(await table.facets(joint)));
  return found;
}

test('facets of several collections are one query of a new organization, and none counts for another', async () => {
  const { organizationId } = await createOrganization({ dynamo: store.dynamo }, 'New');
  const dynamo = store.connect();
  const table = openTable(dynamo, organizationId);
  await table.create(joint, draft({ status: 'open' }));
  await table.create(jointly, draft({ status: 'fixed' }));
  let read: Record<string, number>[] = [];
  const usage = await attachMeter(dynamo).measure(async () => {
    read = await Promise.all([table.facets(joint), table.facets(jointly), table.facets(joint)]);
  });
  expect(read.map((facets) => [facets['status:open'] ?? 0, facets['status:fixed'] ?? 0])).toEqual([
    [1, 0],
    [0, 1],
    [1, 0],
  ]);
  expect(usage).toMatchObject({ roundTrips: 1, readUnits: 0.5 });
  await table.create(joint, draft({ status: 'open' }));
  expect(await table.facets(joint)).toMatchObject({ 'status:open': 2 });
  for (const one of [joint, jointly]) expect((await verify(table, one)).differences).toEqual([]);
});
