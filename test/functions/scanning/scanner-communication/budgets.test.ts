import { beforeAll, expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import { scannerMachines } from '#shared/scanning/fleet/presence.ts';
import { listMachines } from '#shared/scanning/machines/machines.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { putPool } from '../../../support/scanning.ts';
import { newWorld, stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
let clock: ReturnType<typeof stopClock>;
beforeAll(() => {
  clock = stopClock();
});

/** A scanner that has been there for a while, and a meter on the connection that its polls use. */
async function settledScanner() {
  const dynamo = store.connect();
  const world = newWorld(dynamo, newOrganization(dynamo));
  const scanner = await world.link();
  await world.poll(scanner.id);
  return { world, scanner, meter: attachMeter(dynamo) };
}

test('a poll with no work is one round trip and at most one read unit, whatever waits for others', async () => {
  const { world, scanner, meter } = await settledScanner();
  for (let n = 0; n < 20; n++) await world.engage([`10.0.0.${n}`], { zone: `zone-${n}` });
  clock.pass(30);
  const idle = await meter.measure(() => world.poll(scanner.id));
  expect(idle).toMatchObject({ roundTrips: 1, writeUnits: 0 });
  expect(idle.readUnits).toBeLessThanOrEqual(1);
});

test('an idle poll of a shared scanner costs the same, whatever clients queue in other pools', async () => {
  const dynamo = store.connect();
  const [world, client] = [newWorld(dynamo, newOrganization(dynamo)), newWorld(dynamo, newOrganization(dynamo))];
  const [own, other] = [newId(), newId()];
  for (const poolId of [own, other]) await putPool(dynamo, { poolId, providerId: world.table.organizationId });
  const scanner = await world.link({ publicGroupIds: [own] });
  await client.engage(['192.0.2.1', '192.0.2.2'], { more: { publicScannerGroupId: other } });
  await world.poll(scanner.id);
  clock.pass(30);
  const meter = attachMeter(dynamo);
  const idle = await meter.measure(() => world.poll(scanner.id));
  expect(idle).toMatchObject({ roundTrips: 1, writeUnits: 0 });
  expect(idle.readUnits).toBeLessThanOrEqual(1);
});

test('a page of scanners with what their polls say costs no more trips than one without, and what its bytes cost', async () => {
  const { world, meter } = await settledScanner();
  const names = Array.from({ length: 40 }, (_, n) => `scanner-${n}`);
  for (const name of names)
    await world.poll((await world.link({ name, hostname: `${name}.example` })).id, { capacity: 5 });
  const list = () => listMachines(scannerMachines, world.table, { paginateFrom: 5, paginateSize: 25 });
  expect((await list()).data.map(({ status }) => status)).toEqual(Array.from({ length: 25 }, () => 'online'));
  const page = await meter.measure(list);
  expect(page.roundTrips).toBeLessThanOrEqual(3);
  expect(page.readUnits).toBeLessThanOrEqual(6);
});

test('results that are sent together read the presence once and the counters of their engagement once', async () => {
  const { world, scanner, meter } = await settledScanner();
  await world.engage(Array.from({ length: 6 }, (_, n) => `10.0.2.${n}`));
  const { tasks } = await world.poll(scanner.id, { capacity: 5 });
  const results = tasks.map(({ id: taskId }) => ({ taskId, outcome: 'completed' }));
  const one = await meter.measure(() => world.complete(scanner.id, results.slice(0, 1)));
  expect(one.readUnits).toBeLessThanOrEqual(3);
  const four = await meter.measure(() => world.complete(scanner.id, results.slice(1)));
  expect(four.readUnits).toBeLessThanOrEqual(6);
});
