import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { readSoftware } from '#shared/assets/inventory/together.ts';
import { repositoryName } from '#shared/assets/targets/repository.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { runs } from '../../../support/tier.ts';
import { expectSound } from './expectations.ts';
import { codeScan, networkScan, nmap, repository } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const MINUTE = 60_000;
const start = Date.parse('2026-01-15T08:00:00.250Z');

async function assetNamed(table: Table, value: string): Promise<Asset | undefined> {
  const { data } = await table.list(assets, { paginateFrom: 0, paginateSize: 500 });
  const found = data.find((asset) => asset.value === value);
  return found && table.get(assets, found.id, true);
}

/** The repository of `codeScan` in its one spelling. */
const API = repositoryName(repository('api').value);

const portsOf = async (table: Table, address: string) =>
  (await assetNamed(table, address))?.services?.map(({ port }) => port);

const scan = (hosts: Parameters<typeof nmap>[0], options: Parameters<typeof nmap>[1] = {}) =>
  networkScan(nmap(hosts, options));

const sbom = (...names: string[]) =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: names.map((name) => ({ type: 'library', name, version: '1.0', purl: `pkg:npm/${name}@1.0` })),
  });
const inventory = (...names: string[]) => codeScan(sbom(...names), { format: 'cyclonedx' });
const namesOf = async (table: Table) => {
  const asset = await assetNamed(table, API);
  const software = asset && (await readSoftware(world.connections.bucket, table.organizationId, asset));
  return software?.map(({ name }) => name);
};

describe('the services of a host', () => {
  test('are those of the newest scan: a port that it tried and found closed is gone, one that it did not try stays', async () => {
    const table = world.newOrganization();
    await world.ingest(table, scan([{ address: '10.0.0.7', ports: [22, 80, 8080] }], { tried: { tcp: '1-10000' } }));
    expect(await portsOf(table, '10.0.0.7')).toEqual([22, 80, 8080]);
    await world.ingest(table, scan([{ address: '10.0.0.7', ports: [22, 443] }], { tried: { tcp: '1-1000' } }));
    expect(await portsOf(table, '10.0.0.7')).toEqual([22, 443, 8080]);
    await expectSound(table);
  });

  test('stay when the host was down, when the scan failed or was partial, and when another host was scanned', async () => {
    const table = world.newOrganization();
    await world.ingest(table, scan([{ address: '10.0.0.7', ports: [22, 80] }]));
    await world.ingest(table, scan([{ address: '10.0.0.7', ports: [], state: 'down' }]));
    await world.ingest(table, scan([{ address: '10.0.0.8', ports: [25] }]));
    await world.ingest(table, { ...scan([{ address: '10.0.0.7', ports: [22] }]), outcome: 'failed' });
    await world.ingest(table, { ...scan([{ address: '10.0.0.7', ports: [443] }]), closeMissing: false });
    expect(await portsOf(table, '10.0.0.7')).toEqual([22, 80, 443]);
  });

  test('come from other tools too, and no tool takes away what another one sees', async () => {
    const table = world.newOrganization();
    await world.ingest(table, scan([{ address: '10.0.0.7', ports: [22] }]));
    const nessus =
      '<NessusClientData_v2><Report name="x"><ReportHost name="10.0.0.7"><HostProperties><tag name="HOST_END">x</tag>' +
      '<tag name="operating-system">Ubuntu 22.04</tag><tag name="cpe-0">cpe:/a:openbsd:openssh:9.6 -&gt; OpenSSH</tag>' +
      '</HostProperties><ReportItem port="8443" svc_name="www" protocol="tcp" severity="0" pluginID="1" pluginName="n"/>' +
      '</ReportHost></Report></NessusClientData_v2>';
    await world.ingest(table, networkScan(nessus, { format: 'nessus' }));
    const asset = await assetNamed(table, '10.0.0.7');
    expect(asset).toMatchObject({
      services: [
        { port: 22, service: 'http' },
        { port: 8443, protocol: 'tcp', service: 'www' },
      ],
      os: { family: 'linux', name: 'Ubuntu 22.04' },
      software: { count: 1 },
      inventory: [
        { source: 'nessus/network', services: 1, software: 1 },
        { source: 'nmap/network', services: 1, software: null },
      ],
    });
  });

  test('make no asset of a host that answers on no port', async () => {
    const table = world.newOrganization();
    await world.ingest(table, scan([{ address: '10.0.0.9', ports: [] }]));
    expect(await assetNamed(table, '10.0.0.9')).toBeUndefined();
  });
});

describe('the software of a bill of materials', () => {
  test('lies on the target, and what the next one lacks is gone', async () => {
    const table = world.newOrganization();
    await world.ingest(table, inventory('left', 'right'));
    expect(await namesOf(table)).toEqual(['left', 'right']);
    await world.ingest(table, inventory('right', 'up'));
    expect(await namesOf(table)).toEqual(['right', 'up']);
    await world.ingest(table, { ...inventory('more'), scanType: 'frontend' });
    expect(await namesOf(table)).toEqual(['more', 'right', 'up']);
    expect((await assetNamed(table, API))?.software?.count).toBe(3);
  });

  test('of another branch changes nothing, because that runs nowhere', async () => {
    const table = world.newOrganization();
    await world.ingest(table, inventory('left'));
    await world.ingest(table, { ...inventory('other'), ref: 'feature', baseRef: 'main' });
    expect(await namesOf(table)).toEqual(['left']);
  });
});

test('a report that says the same again writes nothing, in whatever order it says it', async () => {
  const table = world.newOrganization();
  await world.ingest(table, scan([{ address: '10.0.0.7', ports: [22, 80] }]));
  await world.ingest(table, inventory('left', 'right'));
  const before = [await assetNamed(table, '10.0.0.7'), await assetNamed(table, API)];
  await world.ingest(table, scan([{ address: '10.0.0.7', ports: [80, 22] }]));
  await world.ingest(table, inventory('right', 'left'));
  expect([await assetNamed(table, '10.0.0.7'), await assetNamed(table, API)]).toEqual(before);
});

test('a worker that is killed between the assets and the end of its report does the same once more', async () => {
  const table = world.newOrganization();
  await world.accept(table, scan([{ address: '10.0.0.7', ports: [22] }]));
  const { bucket } = world.connections;
  const put = bucket.put;
  bucket.put = async (key, body) =>
    key.includes('/inventory-seen/') ? Promise.reject(new Error('killed')) : put(key, body);
  expect(await world.deliver()).toBe(false);
  const before = await assetNamed(table, '10.0.0.7');
  expect(before?.services).toHaveLength(1);
  bucket.put = put;
  await world.drain();
  // the end of the report adds the look of its tool
  const { version: _version, updatedAt: _updatedAt, ...kept } = before ?? {};
  expect(await assetNamed(table, '10.0.0.7')).toMatchObject({ ...kept, version: 3, looks: [{ tool: 'nmap' }] });
});

type Host = { address: string; ports: number[] };

/** The reports come in at their minute; then they are worked in the given order of their places. */
async function work(reports: readonly Host[][], order: readonly number[]): Promise<Table> {
  const table = world.newOrganization();
  for (const [n, hosts] of reports.entries()) {
    setClock(() => start + n * MINUTE);
    await world.accept(table, scan(hosts));
  }
  setClock(() => start + reports.length * MINUTE);
  const messages = world.messages.splice(0);
  for (const n of order) {
    world.messages.push(...messages.slice(n, n + 1));
    await world.drain();
  }
  return table;
}

const hosts = fc
  .subarray(['10.0.0.7', '10.0.0.8'], { minLength: 1 })
  .chain((addresses) =>
    fc.tuple(...addresses.map((address) => fc.record({ address: fc.constant(address), ports: fc.subarray([22, 80]) }))),
  );
const history = fc
  .array(hosts, { minLength: 2, maxLength: 4 })
  .chain((reports) =>
    fc.tuple(fc.constant(reports), fc.shuffledSubarray([...reports.keys()], { minLength: reports.length })),
  );

test('in whatever order reports are worked, each host ends with what the newest report on it says', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ([reports, order]) => {
      const table = await work(reports, order);
      for (const address of ['10.0.0.7', '10.0.0.8']) {
        const newest = reports.flat().findLast((host) => host.address === address);
        expect((await portsOf(table, address)) ?? []).toEqual(newest?.ports ?? []);
      }
    }),
    { numRuns: runs(2, 12) },
  );
});
