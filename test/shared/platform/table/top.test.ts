import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { draft, Ticket, writeTickets } from './models.ts';

const ranked = defineEntity(Ticket, {
  name: 'ranked',
  search: ({ title }) => [title],
  ordered: ({ status, points }) => ({ points: status === 'open' ? String(9 - (points % 10)) : null }),
  ranks: ({ status, points }) => ({ points: status === 'open' ? points : undefined }),
  detail: ['notes'],
});

const store = useStore();

const fields = fc.record({ points: fc.nat(5), status: fc.constantFrom('open' as const, 'fixed' as const) });
const operations = fc.array(
  fc.record({
    entity: fc.constant(ranked),
    kind: fc.constantFrom('create', 'create', 'update', 'delete'),
    pick: fc.nat(),
    fields,
  }),
  { minLength: 1, maxLength: 25 },
);

test('the top of a list is what a sort of all records would give, after any writes', async () => {
  await fc.assert(
    fc.asyncProperty(operations, async (all) => {
      const table = newOrganization(store.dynamo);
      const records = await writeTickets(table, all);
      const sorted = records
        .filter(({ status }) => status === 'open')
        .sort((a, b) => b.points - a.points || records.indexOf(b) - records.indexOf(a));
      for (const n of [1, 4, 40]) {
        const top = await table.top(ranked, { by: 'points', n });
        expect(top.map(({ id }) => id)).toEqual(sorted.slice(0, n).map(({ id }) => id));
      }
      expect(await table.highestRank(ranked, 'points')).toBe(sorted[0]?.points);
      expect((await verify(table, ranked)).differences).toEqual([]);
    }),
    { numRuns: runs(3, 15) },
  );
});

test('the top ten of many records cost two round trips and six read units', async () => {
  const table = newOrganization(store.dynamo);
  for (let n = 0; n < 60; n++) await table.create(ranked, draft({ points: n, notes: 'x'.repeat(500) }));
  const dynamo = store.connect();
  const usage = await attachMeter(dynamo).measure(() =>
    openTable(dynamo, table.organizationId).top(ranked, { by: 'points', n: 10 }),
  );
  expect(usage.roundTrips).toBe(2);
  expect(usage.readUnits).toBeLessThanOrEqual(6);
});
