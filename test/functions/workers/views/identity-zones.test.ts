import { afterAll, afterEach, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { zones } from '#shared/assets/zones/zone.ts';
import { queueMergeUndo } from '#shared/exposure/asset-actions/undo.ts';
import { listTasks } from '#shared/platform/jobs/task-list.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { startWorld } from '../imports/world.ts';
import { recognising } from './recognising.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const { settle, see: seeAll, named, suggested } = recognising(world);
const page = { paginateFrom: 0, paginateSize: 50 };

type Known = { ips?: string[]; fqdns?: string[]; macs?: string[] };
const see = (table: Table, value: string, identifiers: Known) => seeAll(table, [{ value, identifiers }]);

async function withZones(): Promise<Table> {
  const table = world.newOrganization();
  for (const [name, cidrs] of Object.entries({ office: ['10.9.0.0/16'], lab: ['10.9.8.0/24'] }))
    await table.create(zones, { name, description: null, cidrs });
  return table;
}

const fqdns = ['web-01.example.com'];
const office = { ips: ['10.9.0.5'], fqdns };

test.each([
  ['address first', ['10.9.0.5', 'web-01']],
  ['name first', ['web-01', '10.9.0.5']],
])(
  'a machine that one tool knows by its address and another one by its name is one, also where zones are kept: %s',
  async (_, order) => {
    const table = await withZones();
    for (const value of order) await see(table, value, office);
    expect(await named(table)).toEqual([
      order[0] === 'web-01' ? ['web-01', null, '10.9.0.5'] : ['10.9.0.5', 'office', 'web-01'],
    ]);
  },
);

test('an address of another zone, or one in no zone, is another machine', async () => {
  const table = await withZones();
  await see(table, '10.9.8.5', { fqdns });
  await see(table, 'web-01', office);
  await see(table, 'web-02', { fqdns, ips: ['192.0.2.7'] });
  expect(await named(table)).toHaveLength(3);
  expect(await suggested(table)).toEqual([]);
});

test('a name whose addresses lie in two zones belongs to neither', async () => {
  const table = await withZones();
  await see(table, '10.9.0.5', { fqdns });
  await see(table, 'web-01', { fqdns, ips: ['10.9.0.5', '10.9.8.5'] });
  // the address is the same, which alone makes a suggestion
  expect(await suggested(table)).toEqual([['open', 'ip']]);
});

test('people who part such a machine are not asked the same again', async () => {
  const table = await withZones();
  await see(table, '10.9.0.5', { fqdns });
  await see(table, 'web-01', office);
  const [asset] = (await table.list(assets, page)).data;
  const merges = await listTasks(table, { operations: ['merge_assets'], limit: 2 });
  expect(merges.data).toHaveLength(1);
  await queueMergeUndo({ connections: world.connections, table }, String(merges.data[0]?.id));
  await settle(table);
  await see(table, '10.9.0.5', { fqdns, macs: ['0a:1b:2c:3d:4e:5f'] });
  expect(await named(table)).toHaveLength(2);
  expect([asset?.value, await suggested(table)]).toEqual(['10.9.0.5', [['dismissed', 'fqdn']]]);
});
