import { beforeAll, expect, test, vi } from 'vitest';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { putTimer, TIMER_SHARDS } from '#shared/platform/timers/timers.ts';
import { agents } from '#shared/scanning/agents/agent.ts';
import { agentMachines } from '#shared/scanning/agents/presence.ts';
import { deleteMachine, listMachines, showMachines } from '#shared/scanning/machines/machines.ts';
import { offlineAfterSeconds } from '#shared/scanning/machines/presence.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';
import { newWorld } from './world.ts';

const store = useStore();
let clock: ReturnType<typeof stopClock>;
beforeAll(() => {
  clock = stopClock();
});

const sample = (at = Date.now()) => ({ at: new Date(at).toISOString(), cpuPercent: 12.5, rxBytes: 100, txBytes: 10 });

async function settledAgent(more = {}) {
  const dynamo = store.connect();
  const world = newWorld(dynamo);
  const agent = await world.link(more);
  await world.report(agent.id, { hostname: 'web-1', os: { family: 'linux', name: 'Debian', version: '13' } });
  return { world, agent, meter: attachMeter(dynamo) };
}

test('a report with a sample costs one write, and once a minute one more for the heartbeat', async () => {
  const { world, agent, meter } = await settledAgent();
  let time = Date.parse('2025-03-03T10:00:00Z');
  const pass = (seconds: number) => {
    time += seconds * 1000;
    setClock(() => time);
  };
  pass(0);
  await world.report(agent.id, { samples: [sample(time)] });
  pass(61);
  const minute = await meter.measure(() => world.report(agent.id, { samples: [sample(time)] }));
  expect(minute).toEqual({ roundTrips: 3, readUnits: 0.5, writeUnits: 2, commits: 2 });
  pass(20);
  const within = await meter.measure(() => world.report(agent.id, { samples: [sample(time)] }));
  expect(within).toEqual({ roundTrips: 3, readUnits: 1.5, writeUnits: 1, commits: 1 });
  const empty = await meter.measure(() => world.report(agent.id));
  expect(empty).toEqual({ roundTrips: 1, readUnits: 0.5, writeUnits: 0, commits: 0 });
});

test('an hour of reports, folded, costs little more than its samples', async () => {
  const { world, agent, meter } = await settledAgent();
  let time = Date.parse('2025-03-03T12:30:00Z');
  setClock(() => time);
  await world.report(agent.id, { samples: [sample(time)] });
  let [reads, writes] = [0, 0];
  for (let minutes = 0; minutes < 60; minutes++) {
    time += 60_000;
    const { readUnits, writeUnits } = await meter.measure(() => world.report(agent.id, { samples: [sample(time)] }));
    reads += readUnits;
    writes += writeUnits;
  }
  // Two each: the sample and the heartbeat. Every fourth moves the timer (2 more); an hour and a day are folded.
  expect(writes).toBeLessThanOrEqual(60 * 2 + 15 * 2 + 4);
  expect(reads).toBeLessThanOrEqual(60);
});

test('reports about an unchanged host write neither its record nor its asset', async () => {
  const { world, agent, meter } = await settledAgent();
  const body = { hostname: 'web-1', os: { family: 'linux', name: 'Debian', version: '13' } } as const;
  expect(await meter.measure(() => world.report(agent.id, body))).toMatchObject({ writeUnits: 0 });
  const before = await world.table.get(agents, agent.id);
  await world.report(agent.id, { ...body, hostname: 'web-2' });
  expect(await world.table.get(agents, agent.id)).toMatchObject({ hostname: 'web-2', version: before.version + 1 });
});

test('a silent agent turns offline after its announced interval, and online with its next report', async () => {
  clock = stopClock();
  const written = vi.spyOn(log, 'info').mockReturnValue();
  const { world, agent } = await settledAgent({ reportIntervalSeconds: 300 });
  const status = async () => (await world.table.get(agents, agent.id)).status;
  const told = () => written.mock.calls.filter(([message]) => message === 'machines went offline');
  clock.pass(offlineAfterSeconds(300) - 1);
  await world.sweep(); // agents of other tests are silent by now
  written.mockClear();
  const { organizationId } = world.table;
  const batch = world.table.batch();
  batch.write(putTimer({ at: nowMs() - 1000, kind: 'agent', organizationId, id: agent.id }));
  await batch.commit();
  await world.sweep();
  expect(await status()).toBe('online');
  expect(told()).toEqual([]); // a timer of it was worked, and nobody is offline
  clock.pass(1 + 180 + 1);
  await world.sweep();
  expect(await status()).toBe('offline');
  expect(await world.table.facets(agents)).toMatchObject({ 'status:offline': 1 });
  const counted = told();
  const directive = { Dimensions: [['table', 'kind']], Metrics: [{ Name: 'MachinesWentOffline' }] };
  expect(counted.map(([, fields]) => fields)).toMatchObject([
    { _aws: { CloudWatchMetrics: [directive] }, kind: 'agent', MachinesWentOffline: 1 },
  ]);
  await world.report(agent.id);
  expect(await status()).toBe('online');
  written.mockRestore();
  await world.expectExactCounters();
});

test('a sweep costs the same however many agents are fine', async () => {
  clock = stopClock(Date.parse('2025-03-05T10:00:00Z'));
  const { world, meter } = await settledAgent();
  const many = await Promise.all(Array.from({ length: 20 }, () => world.link()));
  for (let minutes = 0; minutes < 6; minutes++) {
    clock.pass(60);
    await Promise.all(many.map(({ id }) => world.report(id, { hostname: id })));
  }
  await world.sweep(); // those of the other tests, which are silent by now
  expect(await meter.measure(() => world.sweep())).toMatchObject({
    roundTrips: 1,
    readUnits: TIMER_SHARDS / 2,
    writeUnits: 0,
  });
});

test('a page of agents with their presence costs only its bytes, whatever rows lie between them', async () => {
  clock = stopClock(Date.parse('2025-03-06T10:00:00Z'));
  const dynamo = store.connect();
  const world = newWorld(dynamo);
  const linked = [];
  for (let n = 0; n < 60; n++) linked.push(await world.link({ hostname: `host-${n}` }));
  for (const { id } of linked) await world.report(id);
  for (const { id } of linked.filter((_, n) => n % 3 === 0)) await deleteMachine(agentMachines, world.table, { id });
  const meter = attachMeter(dynamo);
  const show = () => listMachines(agentMachines, world.table, { paginateFrom: 5, paginateSize: 25 });
  expect((await show()).data.map(({ status }) => status)).toEqual(Array.from({ length: 25 }, () => 'online'));
  const page = await meter.measure(show);
  expect(page.roundTrips).toBeLessThanOrEqual(3);
  expect(page.readUnits).toBeLessThanOrEqual(6);
  const [first, last] = [linked.at(1), linked.at(-1)].flatMap((agent) => agent ?? []);
  const apart = [first, last].flatMap((agent) => agent ?? []);
  expect((await showMachines(agentMachines, world.table, apart)).map(({ status }) => status)).toEqual([
    'online',
    'online',
  ]);
});
