import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Sample } from '#shared/scanning/agents/agent.ts';
import { foldAll, pointOf } from '#shared/scanning/agents/fold.ts';
import { agentMachines } from '#shared/scanning/agents/presence.ts';
import { DAY, HOUR } from '#shared/scanning/agents/retention.ts';
import { injectFaults } from '../../../support/faults.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { type Store, startStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { newWorld } from './world.ts';

let store: Store;
let clock: ReturnType<typeof stopClock>;
const start = Date.parse('2025-03-03T22:00:00Z') / 1000;

beforeAll(async () => {
  store = await startStore();
});
beforeEach(() => {
  clock = stopClock(start * 1000);
});
afterAll(async () => {
  setClock();
  await store.stop();
});

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const sampleAt = (at: number, more: Partial<Sample> = {}): Sample => ({
  at: iso(at),
  cpuPercent: 50,
  rxBytes: 10,
  ...more,
});
/** Six hours, over midnight. */
const SPAN = 6 * HOUR;

const measured = fc.record({
  second: fc.nat({ max: SPAN - 1 }),
  cpuPercent: fc.option(fc.integer({ min: 0, max: 10_000 }).map((value) => value / 100)),
  memoryPercent: fc.option(fc.integer({ min: 0, max: 100 })),
  rxBytes: fc.option(fc.nat({ max: 1_000_000_000 })),
});

/** The counts of all samples, by the unit. */
function recount(samples: readonly Sample[], unit: number) {
  const seconds = samples.map((sample) => ({ ...sample, at: Date.parse(sample.at) / 1000 }));
  const groups = Map.groupBy(seconds, ({ at }) => at - (at % unit));
  return [...groups].sort(([a], [b]) => a - b).map(([from, within]) => pointOf(from, foldAll(within)));
}

test('hours and days equal a recount of the samples, whatever the order, repetition and simultaneity of reports', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(measured, { minLength: 1, maxLength: 40, selector: ({ second }) => second }),
      fc.array(fc.array(fc.nat({ max: 39 }), { maxLength: 8 }), { maxLength: 12 }),
      fc.boolean(),
      async (drawn, reports, atOnce) => {
        clock = stopClock((start + SPAN) * 1000);
        const world = newWorld(store.dynamo);
        const { id } = await world.link();
        const samples = drawn.map(({ second, ...more }) => ({ at: iso(start + second), ...more }));
        const sent = new Set<Sample>();
        const bodies = reports.map((numbers) => numbers.flatMap((n) => samples[n] ?? []));
        for (const body of bodies) for (const sample of body) sent.add(sample);
        if (atOnce) await Promise.all(bodies.map((body) => world.report(id, { samples: body })));
        else
          for (const body of bodies) {
            await world.report(id, { samples: body });
            clock.pass(25);
          }
        for (const [resolution, unit] of [
          ['minute', 60],
          ['hour', HOUR],
          ['day', DAY],
        ] as const) {
          const query = { resolution, from: iso(start), to: iso(start + 2 * DAY) };
          expect((await world.resources(id, query)).points).toEqual(recount([...sent], unit));
        }
      },
    ),
    { numRuns: runs(5, 25) },
  );
});

test('the measurements of an agent that never comes back are kept by the hour', async () => {
  const world = newWorld(store.dynamo);
  const { id } = await world.link();
  await world.report(id, { samples: [sampleAt(start - 30), sampleAt(start - 10, { cpuPercent: 70 })] });
  for (let minutes = 0; minutes < 15; minutes++) {
    clock.pass(60);
    await world.sweep();
  }
  clock.pass(10 * DAY);
  const hour = { at: iso(start - HOUR), cpuPercent: { avg: 60, max: 70 } };
  expect(await world.resources(id, { from: iso(start - DAY) })).toMatchObject({ resolution: 'hour', points: [hour] });
  clock.pass(60 * DAY);
  const day = { at: iso(start - 22 * HOUR), cpuPercent: { avg: 60, max: 70 } };
  expect(await world.resources(id, { from: iso(start - DAY) })).toMatchObject({ resolution: 'day', points: [day] });
  clock.pass(400 * DAY);
  expect((await world.resources(id, { from: iso(start - DAY) })).points).toEqual([]);
});

test('samples that are sent late, after a time without a connection, count in their own hours', async () => {
  const world = newWorld(store.dynamo);
  const { id } = await world.link();
  await world.report(id, { samples: [sampleAt(start)] });
  clock.pass(30 * HOUR);
  const late = Array.from({ length: 30 }, (_, n) => sampleAt(start + n * HOUR + 60));
  await world.report(id, { samples: late });
  const { points } = await world.resources(id, { from: iso(start), resolution: 'hour' });
  expect(points.map(({ rxBytes }) => rxBytes)).toEqual([20, ...Array.from({ length: 29 }, () => 10)]);
});

test('a sample from a clock that is far ahead is refused and does not stop the hours', async () => {
  const world = newWorld(store.dynamo);
  const { id } = await world.link();
  const samples = [sampleAt(start + 86_400), sampleAt(start + 200), sampleAt(start - 3 * DAY)];
  expect(await world.report(id, { samples })).toMatchObject({ accepted: { samples: 1 } });
  const presence = await world.table.rows(agentMachines.rows).find({ machineId: id });
  expect(presence?.openHour).toBe(Math.floor(start / HOUR));
});

test('a report that stops between any two requests and is sent again has the effect of one report', async () => {
  for (let stop = 1, stopped = true; stopped; stop++) {
    clock = stopClock(start * 1000);
    const broken = store.connect();
    const world = newWorld(broken);
    const { id } = await world.link({ hostname: 'web-1' });
    await world.report(id, { samples: [sampleAt(start)] });
    clock.pass(HOUR + 120);
    const report = { hostname: 'web-2', samples: [sampleAt(start + 60), sampleAt(start + HOUR + 60)] };
    let requests = 0;
    const mend = injectFaults(broken, {
      random: Math.random,
      before: () => {
        requests++;
        if (requests === stop) throw new Error('stopped');
      },
    });
    stopped = await world.report(id, report).then(
      () => false,
      () => true,
    );
    mend();
    await world.report(id, report);
    const { points } = await world.resources(id, { from: iso(start), resolution: 'hour' });
    expect(points.map(({ rxBytes }) => rxBytes)).toEqual([20, 10]);
    await world.expectExactCounters();
  }
});
