import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { setClock } from '#shared/runtime/clock.ts';
import { defineEntity } from '#shared/table/entity.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { verify } from '#shared/table/upkeep/verify.ts';
import { changeBag } from '#shared/views/bag.ts';
import { keepViews } from '#shared/views/follow.ts';
import { rebuildStep, type Walked } from '#shared/views/rebuild.ts';
import { sourceOf, viewOf } from '#shared/views/view.ts';
import { dice, injectFaults } from '#test/support/faults.ts';
import { newOrganization, useStore } from '#test/support/store.ts';
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

const zones = defineEntity(Zone, {
  name: 'ticket-zone',
  facets: ({ points, tickets }) => ({ points, tickets }),
  indexed: ({ name }) => ({ name }),
  journal: true,
  unique: ({ name }) => ({ name }),
  told: ['name'],
  detail: ['titles'],
});

type Facts = { title: string; points: number };

/** A ticket counts in each zone that a word of its title and its zone name. */
const zonesOf = ({ title, zone, points }: Ticket) =>
  [...title.split(' '), `zone ${zone}`].map((key) => ({ key, facts: { title, points } }));

const sumOf = (of: readonly Facts[]) => of.reduce((sum, { points }) => sum + points, 0);

const view = viewOf({
  name: 'ticket-zones',
  sources: [sourceOf(tickets, zonesOf)],
  target: zones,
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

const allOf = async (table: Table): Promise<Zone[]> => {
  const { data } = await table.list(zones, { paginateFrom: 0, paginateSize: 500 });
  return Promise.all(data.map(({ id }) => table.get(zones, id)));
};

/** The result of counting the tickets anew. */
function recount(standing: readonly Ticket[]) {
  const byZone = Map.groupBy(
    standing.flatMap((ticket) => [...new Map(zonesOf(ticket).map((one) => [one.key, one])).values()]),
    ({ key }) => key,
  );
  return [...byZone].map(([name, of]) => {
    const facts = of.map((one) => one.facts);
    const titles = [...Map.groupBy(facts, ({ title }) => title)].map(([title, same]) => [title, same.length]);
    return { name, points: sumOf(facts), tickets: facts.length, titles: titles.toSorted() };
  });
}

const inOrder = <T extends { name: string }>(all: readonly T[]) => all.toSorted((a, b) => (a.name < b.name ? -1 : 1));

async function expectRecounted(table: Table, standing: readonly Ticket[]): Promise<void> {
  const found = (await allOf(table)).map(({ name, points, tickets, titles }) => ({ name, points, tickets, titles }));
  expect(inOrder(found)).toEqual(inOrder(recount(standing)));
  expect((await verify(table, zones)).differences).toEqual([]);
}

const writers = fc.array(fc.array(operation, { maxLength: 12 }), { minLength: 1, maxLength: 3 });
const never = () => false;

test('whatever fails and whoever is killed, targets end as a recount of their sources', async () => {
  await fc.assert(
    fc.asyncProperty(writers, fc.nat(), async (all, seed) => {
      const random = dice(seed);
      hurry();
      const calm = newOrganization(store.dynamo);
      const known: Known = { latest: new Map(), deleted: new Set() };
      let writing = true;
      const reading = [1, 2].map(async () => {
        while (writing)
          await keepViews(shaky(calm, random), [view], () => !writing).catch((error: unknown) => {
            if (!(error instanceof Killed)) throw error;
          });
      });
      const writes = all.map((operations) => write(calm, tickets, { operations, known }));
      await Promise.all(writes).finally(() => {
        writing = false;
      });
      await Promise.all(reading);
      await keepViews(calm, [view], never);
      await expectRecounted(
        calm,
        [...known.latest.values()].filter(({ id }) => !known.deleted.has(id)),
      );
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

test('a record with more contributions than a transaction has rows reaches all of its targets', async () => {
  hurry();
  const table = newOrganization(store.dynamo);
  const title = Array.from({ length: 150 }, (_, n) => `part${n}`).join(' ');
  const ticket = await table.create(tickets, draft({ title, points: 3 }));
  await keepViews(table, [view], never);
  await expectRecounted(table, [ticket]);
  await table.delete(tickets, ticket);
  await keepViews(table, [view], never);
  await expectRecounted(table, []);
});

test('a field of a target that people write survives what the view writes', async () => {
  hurry();
  const table = newOrganization(store.dynamo);
  await table.create(tickets, draft({ title: 'pump', points: 1 }));
  await keepViews(table, [view], never);
  const [pump] = (await allOf(table)).filter(({ name }) => name === 'pump');
  await table.update(zones, pump as Zone, { note: 'watched' });
  await table.create(tickets, draft({ title: 'pump', points: 4 }));
  await keepViews(table, [view], never);
  const [after] = (await allOf(table)).filter(({ name }) => name === 'pump');
  expect(after).toMatchObject({ note: 'watched', points: 5, tickets: 2 });
});

test('a rebuild makes the targets of records that nobody told of, and takes away those of records that are gone', async () => {
  hurry();
  const table = newOrganization(store.dynamo);
  const [first, second] = await Promise.all([1, 2].map((points) => table.create(tickets, draft({ points }))));
  if (!first || !second) throw new Error('two tickets');
  const rebuild = async () => {
    let at: Walked | undefined = { source: 0, afterOrdinal: -1, seen: 0 };
    while (at) at = await rebuildStep(table, [view], at);
  };
  await rebuild();
  await expectRecounted(table, [first, second]);
  await table.delete(tickets, second);
  await rebuild();
  await expectRecounted(table, [first]);
});
