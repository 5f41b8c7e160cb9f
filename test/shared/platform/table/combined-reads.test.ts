import { expect, test } from 'vitest';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { combinedBits, type Marked } from '#shared/platform/table/combined.ts';
import { countOf } from '#shared/platform/table/layout/bits.ts';
import { PARTITION } from '#shared/platform/table/layout/keys.ts';
import { findPositions } from '#shared/platform/table/list.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { draft, type Ticket, ticketsWith } from './models.ts';

const store = useStore();
/** A status, a severity and a zone are broad; points are narrow. */
const tickets = ticketsWith('reads');
const page = { paginateFrom: 0, paginateSize: 10 };

const rare: Marked = { name: 'points', values: ['1'] };
const open: Marked = { name: 'status', values: ['open'] };
const low: Marked = { name: 'severity', values: ['low'] };
const north: Marked = { name: 'zone', values: ['north'] };
const pump: Marked = { word: 'pump', exact: false };

/** Ten records in ten blocks far from each other; the first and the last have one point. */
async function farApart(): Promise<Table> {
  const table = newOrganization(store.dynamo);
  for (let n = 0; n < 10; n++) {
    await table.reserveOrdinals(tickets, 5 * PARTITION);
    await table.create(tickets, draft({ points: n % 9 === 0 ? 1 : 2, zone: n < 5 ? 'north' : 'south' }));
  }
  return table;
}

/** The requests of the index for a tree, each with its partition and the number of blocks that it may read. */
async function readsOf(table: Table, marked: Marked) {
  let count = 0;
  const reads = await askedBy(async (dynamo) => {
    count = countOf(await combinedBits({ dynamo, tenant: table.tenant, entity: tickets }, marked));
  });
  return { ...reads, count };
}

async function askedBy(run: (dynamo: Dynamo) => Promise<void>) {
  const reader = store.connect();
  const asked: string[] = [];
  const meter = attachMeter(reader, { inStep: true });
  reader.client.middlewareStack.add(
    (next) => (args) => {
      const values = (args.input as { ExpressionAttributeValues: Record<string, { S: string } | undefined> })
        .ExpressionAttributeValues;
      const [from, to] = [values[':from']?.S, values[':to']?.S].map((text) => Number.parseInt(text ?? '', 36));
      const partition = values[':pk']?.S.split('#').slice(2).join(' ') ?? '';
      asked.push(from === undefined || Number.isNaN(from) ? partition : `${partition} ${(to ?? 0) - from + 1}`);
      return next(args);
    },
    { step: 'initialize', name: 'asked' },
  );
  const { roundTrips, readUnits } = await meter.measure(() => run(reader));
  return { asked: asked.toSorted(), roundTrips, readUnits };
}

test('broad and excluded values cost the few blocks of the narrow ones beside them, wherever these are', async () => {
  const table = await farApart();
  const few = ['v severity=low 1', 'v severity=low 1', 'v status=open 1', 'v status=open 1'];
  const narrowed: [Marked, number, string[]][] = [
    [{ all: [{ not: low }, open, rare] }, 0, ['v points=1', ...few]],
    [{ all: [{ any: [{ not: low }, open] }, { all: [{ all: [rare] }] }] }, 2, ['v points=1', ...few]],
    [{ all: [{ not: { any: [low, { all: [{ not: open }] }] } }, rare] }, 0, ['v points=1', ...few]],
    [
      {
        any: [{ all: [low, rare] }, { all: [{ word: 'nothing', exact: true }, open] }],
      },
      2,
      ['v points=1', ...few, 'w no'],
    ],
  ];
  for (const [marked, count, asked] of narrowed) {
    const reads = await readsOf(table, marked);
    expect(reads).toEqual({ asked, count, roundTrips: 2, readUnits: asked.length / 2 });
  }
  const nobody: Marked = { name: 'points', values: ['7'] };
  const reads = await readsOf(table, { all: [nobody, open, { not: low }] });
  expect(reads).toEqual({ asked: ['v points=7'], count: 0, roundTrips: 1, readUnits: 0.5 });
});

test('values that nothing narrows are read whole, in one round trip, each once', async () => {
  const table = await farApart();
  const both = ['v severity=low', 'v zone=north'];
  const whole: [Marked, number, string[]][] = [
    [{ all: [low, north] }, 5, both],
    [{ all: [{ not: north }, low] }, 5, both],
    [{ all: [{ any: [{ not: north }, rare] }, low] }, 6, ['v points=1', ...both]],
    [{ any: [low, rare, north] }, 10, ['v points=1', ...both]],
    [{ any: Array.from({ length: 50 }, (): Marked => ({ all: [low, { not: { ...north } }] })) }, 5, both],
    [{ not: north }, 5, ['m', 'v zone=north']],
    [{ all: [{ not: north }, { not: rare }] }, 4, ['m', 'v points=1', 'v zone=north']],
    ['everything', 10, ['m']],
    [{ all: [{ any: [] }, { not: north }] }, 0, []],
  ];
  for (const [marked, count, asked] of whole) {
    const reads = await readsOf(table, marked);
    expect(reads).toEqual({ asked, count, roundTrips: Math.min(1, asked.length), readUnits: asked.length / 2 });
  }
});

test('a page of all records but some costs their bits, the counts of the blocks and the blocks of the page', async () => {
  const table = await farApart();
  const pageOf = (matching: Marked, sort?: string) =>
    askedBy(async (dynamo) => {
      const range = { paginateFrom: 2, paginateSize: 1, ...(sort && { sort }) };
      const found = await findPositions({ dynamo, tenant: table.tenant, entity: tickets }, { matching, ...range });
      expect([found.total, found.ordinals.length]).toEqual([5, 1]);
    });
  const block = 'm 1';
  expect(await pageOf({ not: north })).toMatchObject({ asked: ['i', block, 'v zone=north'], roundTrips: 2 });
  expect(await pageOf({ all: [{ not: { all: [north, { not: low }] } }, { not: north }] })).toMatchObject({
    asked: ['i', block, 'v severity=low', 'v zone=north'],
    roundTrips: 2,
  });
  expect(await pageOf({ not: north }, 'points')).toMatchObject({
    asked: ['i', 'o points', 'v zone=north'],
    roundTrips: 1,
  });
});

test('a word with more rows than are read makes a list incomplete, and is refused where it is excluded', async () => {
  const table = newOrganization(store.dynamo);
  const words = Array.from({ length: 1000 }, (_, n) => `wx${String(n).padStart(4, '0')}`);
  for (let from = 0; from < words.length; from += 240) {
    const batch = table.batch(true);
    for (const [n, id] of (await table.reserve(tickets, 20)).entries()) {
      const title = words.slice(from + n * 12, Math.min(from + n * 12 + 12, from + 240)).join(' ');
      batch.create(tickets, table.stamp<Ticket>({ id, ...draft({ title }) }));
    }
    await batch.commit();
  }
  await table.workJournal(tickets);
  const wx: Marked = { word: 'wx', exact: false };
  const list = (matching: Marked) => table.list(tickets, { matching, ...page });
  for (const matching of [wx, { any: [wx, pump] }, { all: [wx, { not: pump }] }])
    expect(await list(matching)).toMatchObject({ truncated: true });
  await expect(ordinalsOf(table, tickets, { matching: wx })).rejects.toMatchObject({ code: 'validation_failed' });
  for (const matching of [{ not: wx }, { all: [open, { not: { any: [pump, { all: [wx] }] } }] }])
    await expect(list(matching)).rejects.toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'filter', message: expect.stringContaining('"wx"') }],
    });
  const some = await list({ all: [open, { not: { word: 'wx00', exact: false } }] });
  expect(some).not.toHaveProperty('truncated');
  expect(some.totalCount).toBe(100 - 9);
});

test('a tree of 32 levels is answered, a deeper one refused', async () => {
  const table = newOrganization(store.dynamo);
  const { id } = await table.create(tickets, draft({ points: 1 }));
  const nested = (levels: number): Marked => (levels === 0 ? rare : { all: [nested(levels - 1)] });
  const list = (levels: number) => table.list(tickets, { matching: nested(levels), ...page });
  // the list itself adds two levels
  expect((await list(30)).data.map((one) => one.id)).toEqual([id]);
  await expect(list(31)).rejects.toMatchObject({ code: 'validation_failed', details: [{ path: 'filter' }] });
  await expect(list(5000)).rejects.toMatchObject({ code: 'validation_failed' });
});
