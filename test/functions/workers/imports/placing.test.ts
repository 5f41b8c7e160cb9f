import { afterAll, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { zones } from '#shared/assets/zones/zone.ts';
import type { Submission } from '#shared/ingest/submission.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { codeScan, networkScan, nmap, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

/** An organization whose plant has the addresses from 10.0.0.0 on, and that knows one of them from before. */
async function startPlant(): Promise<Table> {
  const table = world.newOrganization();
  await scan(table, ['10.0.0.1']);
  await table.create(zones, { name: 'plant', cidrs: ['10.0.0.0/24'], description: null });
  return table;
}

const scan = async (table: Table, addresses: string[], more: Partial<Submission> = {}, ports = [80]) =>
  (
    await world.ingest(
      table,
      networkScan(nmap(addresses.map((address) => ({ address, ports }))), {
        source: 'import',
        target: undefined,
        zone: undefined,
        ...more,
      }),
    )
  ).result;

/** Each asset with what was found, told and looked at there. */
async function placesIn(table: Table): Promise<string[]> {
  const { data } = await table.list(assets, { paginateFrom: 0, paginateSize: 20 });
  const whole = await Promise.all(data.map(({ id }) => table.get(assets, id, true)));
  return whole
    .map(({ value, zone, services = [], looks = [] }) => `${value} ${zone} ${services.length} ${looks.length}`)
    .sort();
}

test('an import places a new address in its zone with all that it tells of it, and leaves one that stands', async () => {
  const table = await startPlant();
  const addresses = ['10.0.0.1', '10.0.0.2', '10.9.0.1'];
  expect(await scan(table, addresses)).toMatchObject({ created: 2, unchanged: 1 });
  const places = ['10.0.0.1 null 1 1', '10.0.0.2 plant 1 1', '10.9.0.1 null 1 1'];
  expect(await placesIn(table)).toEqual(places);
  expect(await scan(table, addresses)).toMatchObject({ created: 0, unchanged: 3 });
  expect(await placesIn(table)).toEqual(places);
});

test('a report that names a zone, and a scanner, mean the place that they name', async () => {
  const table = await startPlant();
  await scan(table, ['10.0.0.2'], { zone: 'office' });
  await scan(table, ['10.0.0.3'], { source: 'scanner', target: { type: 'cidr', value: '10.0.0.0/24' } });
  expect(await placesIn(table)).toEqual(['10.0.0.1 null 1 1', '10.0.0.2 office 1 1', '10.0.0.3 null 1 1']);
});

test('the target of an import that finds nothing is placed too, and what is no address is not', async () => {
  const table = await startPlant();
  await scan(table, ['10.0.0.4'], { target: { type: 'host', value: '10.0.0.4' } }, []);
  await world.ingest(table, codeScan(sarif(problems(1)), { target: { type: 'url', value: 'http://10.0.0.5/' } }));
  await world.ingest(table, codeScan(sarif(problems(1)), { target: { type: 'repository', value: '10.0.0.6' } }));
  expect(await placesIn(table)).toEqual([
    '10.0.0.1 null 1 1',
    '10.0.0.4 plant 0 1',
    '10.0.0.6 null 0 0',
    'http://10.0.0.5/ plant 0 0',
  ]);
});
