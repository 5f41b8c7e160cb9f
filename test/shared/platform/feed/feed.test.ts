import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { followUp } from '#shared/platform/feed/audit.ts';
import { follow } from '#shared/platform/feed/consumer.ts';
import { numberChanges } from '#shared/platform/feed/number.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { dice, injectFaults } from '../../../support/faults.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { type Ticket, ticketsWith } from '../table/models.ts';
import { type Known, operation, write } from '../table/writers.ts';
import { draftOf, expectIndexed, expectSeenOnce, expectWholeLog, noting, numberAll } from './world.ts';

const store = useStore();
const tickets = ticketsWith('ticket');
const bad = { conflict: 0.15, throttle: 0.05, lost: 0.15, unprocessed: 0.3 };

class Killed extends Error {}

/** A connection that fails as a network does, and now and then for good, as if its process had been killed. */
function shaky({ organizationId }: Table, random: () => number, kills = 0.05): Table {
  const dynamo = store.connect();
  const before = () => {
    if (random() < kills) throw new Killed();
  };
  injectFaults(dynamo, { random, ...bad, before });
  return openTable(dynamo, organizationId);
}

const unlessKilled = (work: Promise<unknown>) =>
  work.catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error;
  });

/** Time goes a thousand times as fast, and the clocks of any two processes differ by up to 1.4 seconds. */
function hurry(random: () => number): void {
  const start = Date.now();
  const began = performance.now();
  setClock(() => Math.floor(start + (performance.now() - began) * 1000 + random() * 1400));
}

const writers = fc.array(fc.array(operation, { maxLength: 14 }), { minLength: 1, maxLength: 4 });

test('after any failure and any kill, each reader sees every version of every record once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(writers, fc.nat(), async (all, seed) => {
      const random = dice(seed);
      hurry(random);
      const calm = newOrganization(store.dynamo);
      const known: Known = { latest: new Map<string, Ticket>(), deleted: new Set<string>() };
      let writing = true;
      const until = async (work: () => Promise<unknown>) => {
        while (writing) await unlessKilled(work());
      };
      const some = (n: number) => 1 + Math.floor(random() * n);
      const readers = ['one', 'two', 'two'].map((name) =>
        until(() => {
          const table = shaky(calm, random);
          return follow(table, name, noting(table, name, some));
        }),
      );
      const numbering = [1, 2].map(() => until(() => numberChanges(shaky(calm, random))));
      const indexing = until(() => followUp(shaky(calm, random)));
      const writes = all.map((operations) => write(shaky(calm, random, 0), tickets, { operations, known }));
      await Promise.all(writes).finally(() => {
        writing = false;
      });
      await Promise.all([...readers, ...numbering, indexing]);
      await numberAll(calm);
      const last = [...known.latest.values()].map(({ id, version }): [string, number] => [
        id,
        version + (known.deleted.has(id) ? 1 : 0),
      ]);
      await expectWholeLog(calm, new Map(last));
      for (const name of ['one', 'two']) await expectSeenOnce(calm, name);
      await expectIndexed(calm);
    }),
    { numRuns: runs(5, 25), endOnFailure: true },
  );
});

test('a worker killed before any of its requests leaves what an undisturbed one leaves', async () => {
  hurry(() => 0);
  for (let kill = 1; ; kill++) {
    const table = newOrganization(store.dynamo);
    const made = await Promise.all([1, 2, 3].map((points) => table.create(tickets, draftOf(points))));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const dynamo = store.connect();
    let left = kill;
    const before = () => {
      if (--left <= 0) throw new Killed();
    };
    injectFaults(dynamo, { random: () => 1, before });
    await unlessKilled(numberChanges(openTable(dynamo, table.organizationId)));
    await numberAll(table);
    await expectWholeLog(table, new Map(made.map(({ id }) => [id, 1])));
    if (left > 0) {
      expect(kill).toBeGreaterThan(4);
      return;
    }
  }
});
