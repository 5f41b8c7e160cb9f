import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { defineEntity } from '#shared/table/entity.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { verify } from '#shared/table/upkeep/verify.ts';
import { newOrganization, useStore } from '#test/support/store.ts';
import { attachMeter } from '../../../bench/meter.ts';
import { draft, Ticket } from './models.ts';

const ranked = defineEntity(Ticket, {
  name: 'ranked',
  search: ({ title }) => [title],
  ranks: ({ status, points, zone }) => ({ points: status === 'open' ? { number: points, note: zone } : undefined }),
  detail: ['notes'],
});

const nothing = async () => undefined;

const store = useStore();

const fields = fc.record({ points: fc.nat(5), status: fc.constantFrom('open' as const, 'fixed' as const) });
const operations = fc.array(
  fc.record({ kind: fc.constantFrom('create', 'create', 'update', 'delete'), pick: fc.nat(), fields }),
  { minLength: 1, maxLength: 25 },
);

test('the top of a list is what a sort of all records would give, after any writes', async () => {
  await fc.assert(
    fc.asyncProperty(operations, async (all) => {
      const table = newOrganization(store.dynamo);
      const records = await perform(table, all);
      const sorted = records
        .filter(({ status }) => status === 'open')
        .sort((a, b) => b.points - a.points || records.indexOf(b) - records.indexOf(a));
      for (const n of [1, 4, 40]) {
        const { records: top, beside } = await table.top(ranked, { rank: 'points', n, beside: async (notes) => notes });
        expect(top.map(({ id }) => id)).toEqual(sorted.slice(0, n).map(({ id }) => id));
        expect(beside).toEqual(sorted.length > 0 ? ['north'] : []);
      }
      expect(await table.highestRank(ranked, 'points')).toBe(sorted[0]?.points);
      expect((await verify(table, ranked)).differences).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

async function perform(table: Table, all: { kind: string; pick: number; fields: Partial<Ticket> }[]) {
  const records: Ticket[] = [];
  for (const { kind, pick, fields } of all) {
    const at = pick % Math.max(1, records.length);
    const picked = records[at];
    if (kind === 'create' || !picked) records.push(await table.create(ranked, draft(fields)));
    else if (kind === 'update') records[at] = await table.update(ranked, picked, fields);
    else {
      await table.delete(ranked, picked);
      records.splice(at, 1);
    }
  }
  return records;
}

test('rank rows whose records are still being written hide none of the records behind them', async () => {
  const table = newOrganization(store.dynamo);
  const behind = await table.create(ranked, draft({ points: 3 }));
  const ids = await table.reserve(ranked, 5);
  const batch = table.batch(true);
  for (const id of ids) batch.create(ranked, table.stamp<Ticket>({ ...draft({ points: 9 }), id }));
  const remove = stopTransactions();
  await expect(batch.commit()).rejects.toThrow('stopped');
  remove();
  const { records } = await table.top(ranked, { rank: 'points', n: 2, beside: nothing });
  expect(records.map(({ id }) => id)).toEqual([behind.id]);
});

test('the top ten of many records cost two round trips and six read units', async () => {
  const table = newOrganization(store.dynamo);
  for (let n = 0; n < 60; n++) await table.create(ranked, draft({ points: n, notes: 'x'.repeat(500) }));
  const dynamo = store.connect();
  const usage = await attachMeter(dynamo).measure(() =>
    openTable(dynamo, table.organizationId).top(ranked, { rank: 'points', n: 10, beside: nothing }),
  );
  expect(usage.roundTrips).toBe(2);
  expect(usage.readUnits).toBeLessThanOrEqual(6);
});

/** Leaves the table as a crash between the early rows of a bulk batch and its transaction does. */
function stopTransactions(): () => void {
  const name = 'stop';
  store.dynamo.client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName?.startsWith('Transact')) throw new Error('stopped');
        return next(args);
      },
    { step: 'initialize', name, priority: 'high' },
  );
  return () => void store.dynamo.client.middlewareStack.remove(name);
}
