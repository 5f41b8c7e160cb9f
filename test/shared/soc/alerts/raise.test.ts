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
