import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { raiseAlerts } from '#shared/soc/alerts/raise.ts';
import { dice, injectFaults } from '../../../support/faults.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';

const store = useStore();
afterEach(() => setClock());

const START = Date.UTC(2026, 4, 1, 8);
const origin = { id: 'rule-1', zone: null };
const event = (eventKey: string, seconds: number, more: object = {}) => {
  const firstEventAt = new Date(START + seconds * 1000).toISOString();
  const named = { title: 'x', description: null, severity: 'high' as const, attackTechniques: [], entities: [] };
  const source = { kind: 'siem', ruleId: 'rule-1', ruleName: null, collectorId: null } as const;
  return { ...named, source, eventKey, dedupKey: 'k', eventCount: 1, firstEventAt, lastEventAt: firstEventAt, ...more };
};
const all = async (table: Table) => (await table.list(alerts, { paginateFrom: 0, paginateSize: 500 })).data;

test('100,000 matching events of a minute, from several senders at once, are one alert with their number', async () => {
  setClock(() => START + 60_000);
  const table = newOrganization(store.dynamo);
  const batches = Array.from({ length: 200 }, (_, n) => event(`batch-${n}`, n % 60, { eventCount: 500 }));
  const sender = async (n: number) => {
    for (const batch of batches.filter((_, i) => i % 4 === n)) await raiseAlerts(table, origin, [batch]);
  };
  await Promise.all([0, 1, 2, 3].map(sender));
  await raiseAlerts(table, origin, batches.slice(0, 50));
  expect((await all(table)).map(({ eventCount }) => eventCount)).toEqual([100_000]);
  expect((await verify(table, alerts as never)).differences).toEqual([]);
});

const raised = fc.record({
  id: fc.nat(40),
  key: fc.nat(2),
  minute: fc.nat(150),
  count: fc.integer({ min: 1, max: 9 }),
});

test('each event counts once, in whatever order and however often it comes and whatever fails between', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(raised, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 }),
      fc.integer(),
      async (batches, seed) => {
        setClock(() => START + 4 * 3_600_000);
        const dynamo = store.connect();
        const table = openTable(dynamo, newOrganization(store.dynamo).organizationId);
        const random = dice(seed);
        const stop = injectFaults(dynamo, { random, conflict: 0.1, lost: 0.1, throttle: 0.05, unprocessed: 0.1 });
        const counted = new Map<number, number>();
        for (const batch of batches) {
          for (const { id, count } of batch) if (!counted.has(id)) counted.set(id, count);
          const events = batch.map(({ id, key, minute, count }) =>
            event(`e${id}`, minute * 60, { dedupKey: `k${key}`, eventCount: count }),
          );
          await raiseAlerts(table, origin, events);
        }
        stop();
        const current = await all(table);
        const total = current.reduce((sum, { eventCount }) => sum + eventCount, 0);
        expect(total).toBe([...counted.values()].reduce((sum, count) => sum + count, 0));
        expect((await verify(table, alerts as never)).differences).toEqual([]);
      },
    ),
    { numRuns: runs(4, 20), endOnFailure: true },
  );
});

/** Bursts of less than the window of an hour, an hour or more apart. */
const burst = fc.record({ n: fc.nat(3), minute: fc.integer({ min: 0, max: 59 }), batch: fc.nat(6) });

test('bursts that are a window apart are the same alerts, in whatever order their events come', async () => {
  const keyOf = ({ n, minute }: { n: number; minute: number }) => `${n}-${minute}`;
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(burst, { maxLength: 30, selector: keyOf }), async (events) => {
      setClock(() => START + 9 * 3_600_000);
      const table = newOrganization(store.dynamo);
      const secondOf = ({ n, minute }: { n: number; minute: number }) => n * 7_200 + minute * 60;
      for (const [, some] of [...Map.groupBy(events, ({ batch }) => batch)].sort(([a], [b]) => a - b))
        await raiseAlerts(
          table,
          origin,
          some.map((one) => event(keyOf(one), secondOf(one))),
        );
      const timeOf = (second: number) => new Date(START + second * 1000).toISOString();
      const expected = [...Map.groupBy(events, ({ n }) => n).values()].map((some) => {
        const seconds = some.map(secondOf);
        return [timeOf(Math.min(...seconds)), timeOf(Math.max(...seconds)), some.length];
      });
      const found = (await all(table)).map((one) => [one.firstEventAt, one.lastEventAt, one.eventCount]);
      expect(found.sort()).toEqual(expected.sort());
    }),
    { numRuns: runs(6, 40), endOnFailure: true },
  );
});

test('an alert that is closed takes no late event, and the windows before it stay open', async () => {
  setClock(() => START + 9 * 3_600_000);
  const table = newOrganization(store.dynamo);
  const outcomes = async (...events: [key: string, hour: number][]) =>
    (
      await raiseAlerts(
        table,
        origin,
        events.map(([key, hour]) => event(key, hour * 3_600)),
      )
    ).map(({ outcome }) => outcome);
  expect(await outcomes(['a', 0], ['b', 4])).toEqual(['created', 'created']);
  const [, first] = (await all(table)).toSorted((one, other) => (one.firstEventAt < other.firstEventAt ? 1 : -1));
  const known = await table.get(alerts, first?.id ?? '', true);
  expect(await outcomes(['c', 0.5], ['d', 4.5], ['e', 3.5])).toEqual(['counted', 'counted', 'counted']);
  await table.update(alerts, await table.get(alerts, known.id, true), { status: 'resolved' });
  expect(await outcomes(['f', 0.6], ['g', 4.6])).toEqual(['created', 'counted']);
});
