import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { numberChanges } from '#shared/platform/feed/number.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { changeBag } from '#shared/platform/views/bag.ts';
import { keepViews } from '#shared/platform/views/follow.ts';
import { rebuildStep, type Walked } from '#shared/platform/views/rebuild.ts';
import { sourceOf, viewOf } from '#shared/platform/views/view.ts';
import { dice, injectFaults } from '../../../support/faults.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { draft, type Ticket, ticketsWith } from '../table/models.ts';
import { type Known, operation, write } from '../table/writers.ts';

const store = useStore();
const tickets = ticketsWith('ticket');

const Zone = z.object({
  id: z.string(),
  version: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  name: z.string(),
  points: z.number(),
  tickets: z.number(),
  titles: z.array(z.tuple([z.string(), z.number()])),
  /** Set by people. */
  note: z.string().optional(),
});
type Zone = z.infer<typeof Zone>;

const zonesNamed = (name: string) =>
  defineEntity(Zone, {
    name,
    facets: ({ points, tickets }) => ({ points, tickets }),
    indexed: ({ name }) => ({ name }),
    journal: true,
    unique: ({ name }) => ({ name }),
    feedFields: ['name'],
    detail: ['titles'],
  });
const zones = zonesNamed('ticket-zone');
const levels = zonesNamed('ticket-level');

type Facts = { title: string; points: number };

/** A ticket counts in each zone that a word of its title and its zone name. */
const zonesOf = ({ title, zone, points }: Ticket) =>
  [...title.split(' '), `zone ${zone}`].map((key) => ({ key, facts: { title, points } }));

/** An open ticket counts in its severity. */
const levelsOf = ({ status, severity, title, points }: Ticket) =>
  status === 'open' ? [{ key: severity, facts: { title, points } }] : [];

const sumOf = (of: readonly Facts[]) => of.reduce((sum, { points }) => sum + points, 0);

const viewTo = (name: string, target: typeof zones, contributions: typeof zonesOf) =>
  viewOf({
    name,
    sources: [sourceOf(tickets, contributions)],
    target,
    field: 'name',
    apply(
      zone: Zone | undefined,
      { key, added, removed }: { key: string; added: readonly Facts[]; removed: readonly Facts[] },
    ) {
      const count = (zone?.tickets ?? 0) + added.length - removed.length;
      if (count === 0) return undefined;
      const titles = changeBag(zone?.titles ?? [], {
        added: added.map(({ title }) => title),
        removed: removed.map(({ title }) => title),
      });
      const points = (zone?.points ?? 0) + sumOf(added) - sumOf(removed);
      return { name: key, tickets: count, points, titles: titles.map(([title, n]): [string, number] => [title, n]) };
    },
  });

/** A ticket's row of contributions holds those to both. */
const views = [viewTo('ticket-zones', zones, zonesOf), viewTo('ticket-levels', levels, levelsOf)];

class Killed extends Error {}

/** A connection that fails as a network does, and now and then for good, as if its process had been killed. */
function shaky({ organizationId }: Table, random: () => number): Table {
  const dynamo = store.connect();
  const before = () => {
    if (random() < 0.03) throw new Killed();
  };
  injectFaults(dynamo, { random, conflict: 0.1, throttle: 0.05, lost: 0.1, unprocessed: 0.2, before });
  return openTable(dynamo, organizationId);
}

/** Time goes a thousand times as fast. */
function hurry(): void {
  const [start, began] = [Date.now(), performance.now()];
  setClock(() => Math.floor(start + (performance.now() - began) * 1000));
}

const allOf = async (table: Table, of = zones): Promise<Zone[]> => {
  const { data } = await table.list(of, { paginateFrom: 0, paginateSize: 500 });
  return Promise.all(data.map(({ id }) => table.get(of, id)));
};

/** The result of counting the tickets anew. */
function recount(current: readonly Ticket[], contributions: typeof zonesOf) {
  const byZone = Map.groupBy(
    current.flatMap((ticket) => [...new Map(contributions(ticket).map((one) => [one.key, one])).values()]),
    ({ key }) => key,
  );
  return [...byZone].map(([name, of]) => {
    const facts = of.map((one) => one.facts);
    const titles = [...Map.groupBy(facts, ({ title }) => title)].map(([title, same]) => [title, same.length]);
    return { name, points: sumOf(facts), tickets: facts.length, titles: titles.toSorted() };
  });
}

const inOrder = <T extends { name: string }>(all: readonly T[]) => all.toSorted((a, b) => (a.name < b.name ? -1 : 1));

async function expectRecounted(table: Table, current: readonly Ticket[]): Promise<void> {
  for (const [target, contributions] of [
    [zones, zonesOf],
    [levels, levelsOf],
  ] as const) {
    const all = await allOf(table, target);
    const found = all.map(({ name, points, tickets, titles }) => ({ name, points, tickets, titles }));
    expect(inOrder(found)).toEqual(inOrder(recount(current, contributions)));
    expect((await verify(table, target)).differences).toEqual([]);
  }
}

const writers = fc.array(fc.array(operation, { maxLength: 12 }), { minLength: 1, maxLength: 3 });
const never = () => false;

test('after any failure and any kill, targets equal a recount of their sources', async () => {
  await fc.assert(
    fc.asyncProperty(writers, fc.nat(), async (all, seed) => {
      const random = dice(seed);
      hurry();
      const calm = newOrganization(store.dynamo);
      const known: Known = { latest: new Map(), deleted: new Set() };
      let writing = true;
      const reading = [1, 2].map(async () => {
        while (writing)
          await keepViews(shaky(calm, random), views, () => !writing).catch((error: unknown) => {
            if (!(error instanceof Killed)) throw error;
          });
      });
      const writes = all.map((operations) => write(calm, tickets, { operations, known }));
      await Promise.all(writes).finally(() => {
        writing = false;
      });
      await Promise.all(reading);
      await keepViews(calm, views, never);
      await expectRecounted(
        calm,
        [...known.latest.values()].filter(({ id }) => !known.deleted.has(id)),
      );
    }),
    { numRuns: runs(3, 15), endOnFailure: true },
  );
});

test('a record with more contributions than a transaction has rows reaches all of its targets', async () => {
  hurry();
  const table = newOrganization(store.dynamo);
  const title = Array.from({ length: 150 }, (_, n) => `part${n}`).join(' ');
  const ticket = await table.create(tickets, draft({ title, points: 3 }));
  await keepViews(table, views, never);
  await expectRecounted(table, [ticket]);
  await table.delete(tickets, ticket);
  await keepViews(table, views, never);
  await expectRecounted(table, []);
});

test('a field of a target that people write survives what the view writes', async () => {
  hurry();
  const table = newOrganization(store.dynamo);
  await table.create(tickets, draft({ title: 'pump', points: 1 }));
  await keepViews(table, views, never);
  const [pump] = (await allOf(table)).filter(({ name }) => name === 'pump');
  await table.update(zones, pump as Zone, { note: 'watched' });
  await table.create(tickets, draft({ title: 'pump', points: 4 }));
  await keepViews(table, views, never);
  const [after] = (await allOf(table)).filter(({ name }) => name === 'pump');
  expect(after).toMatchObject({ note: 'watched', points: 5, tickets: 2 });
});

test('a worker that waits until a change can be numbered asks the table next to nothing meanwhile', async () => {
  const dynamo = store.connect();
  const table = newOrganization(dynamo);
  await table.create(tickets, draft({ title: 'pump' }));
  let requests = 0;
  dynamo.client.middlewareStack.add((next) => (args) => {
    requests++;
    return next(args);
  });
  await keepViews(table, [], never);
  expect(requests).toBeLessThan(20);
});

test('changes that another worker numbers meanwhile are shown when the work ends', async () => {
  hurry();
  const dynamo = store.connect();
  const table = newOrganization(dynamo);
  const other = openTable(store.dynamo, table.organizationId);
  await table.create(tickets, draft({ title: 'pump' }));
  await sleep(20);
  let isNumbered = false;
  dynamo.client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        // the end of the log is read before the inbox
        if (commandName === 'QueryCommand' && !isNumbered) {
          isNumbered = true;
          await numberChanges(other);
        }
        return next(args);
      },
    { step: 'initialize' },
  );
  expect(await keepViews(table, views, never)).toBe(true);
  expect((await table.list(zones, { paginateFrom: 0, paginateSize: 10 })).totalCount).toBeGreaterThan(0);
});

test('a change of the far future keeps no worker waiting, and is shown when its time comes', async () => {
  const table = newOrganization(store.dynamo);
  const from = Date.now();
  setClock(() => from + 3_600_000);
  await table.create(tickets, draft({ title: 'late' }));
  setClock();
  expect(await keepViews(table, views, never)).toBe(true);
  const shown = () => table.list(zones, { paginateFrom: 0, paginateSize: 10 });
  expect((await shown()).totalCount).toBe(0);
  setClock(() => 3_610_000 + from + (Date.now() - from) * 20);
  expect(await keepViews(table, views, never)).toBe(true);
  setClock();
  expect((await shown()).totalCount).toBeGreaterThan(0);
});

test('a rebuild makes the targets of unreported records, and removes the targets of deleted records', async () => {
  hurry();
  const table = newOrganization(store.dynamo);
  const [first, second] = await Promise.all([1, 2].map((points) => table.create(tickets, draft({ points }))));
  if (!first || !second) throw new Error('two tickets');
  const rebuild = async () => {
    let at: Walked | undefined = { source: 0, afterOrdinal: -1, seen: 0 };
    while (at) at = await rebuildStep(table, views, at);
  };
  await rebuild();
  await expectRecounted(table, [first, second]);
  await table.delete(tickets, second);
  await rebuild();
  await expectRecounted(table, [first]);
});
