import { afterAll, afterEach, expect, test } from 'vitest';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { readSoftware } from '#shared/assets/inventory/together.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { codeScan, networkScan, nmap } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const everyAsset = async (table: Table): Promise<Asset[]> => {
  const { data } = await table.list(assets, { paginateFrom: 0, paginateSize: 100 });
  return Promise.all(data.map(({ id }) => table.get(assets, id, true)));
};

test('a report of many hosts and services that takes several messages tells the services of each', async () => {
  const table = world.newOrganization();
  const ports = Array.from({ length: 100 }, (_, n) => n + 1);
  // one host more than are written together, and one chunk of findings more
  const hosts = Array.from({ length: 21 }, (_, n) => ({ address: `10.0.0.${n + 1}`, ports }));
  const id = await world.accept(table, networkScan(nmap(hosts)));
  let time = nowMs();
  setClock(() => {
    time += 5_000;
    return time;
  });
  let deliveries = 0;
  while (world.messages.length > 0 && deliveries < 20) {
    await world.deliver();
    deliveries += 1;
  }
  expect(await world.task(table, id)).toMatchObject({ status: 'succeeded', result: { created: 2100 } });
  expect(deliveries).toBeGreaterThan(2);
  const told = (await everyAsset(table)).map(({ services }) => services?.length);
  expect(told).toEqual(hosts.map(() => 100));
});

const component = (name: string) => ({ type: 'library', name, version: '1.0', purl: `pkg:npm/${name}@1.0` });
const sbom = (...components: unknown[]) =>
  codeScan(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components }), { format: 'cyclonedx' });

async function softwareOf(table: Table): Promise<string[] | undefined> {
  const [asset] = await everyAsset(table);
  const software = asset && (await readSoftware(world.connections.bucket, table.organizationId, asset));
  return software?.map(({ name }) => name);
}

test('a bill of materials that is partial, or whose tool failed, adds software and takes none away', async () => {
  const table = world.newOrganization();
  await world.ingest(table, sbom(component('left'), component('right')));
  await world.ingest(table, { ...sbom(component('up')), closeMissing: false });
  expect(await softwareOf(table)).toEqual(['left', 'right', 'up']);
  await world.ingest(table, { ...sbom(component('down')), outcome: 'failed' });
  expect(await softwareOf(table)).toEqual(['down', 'left', 'right', 'up']);
  await world.ingest(table, sbom(component('down')));
  expect(await softwareOf(table)).toEqual(['down']);
});
