import { afterAll, afterEach, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { expectExact } from '../../../support/verify.ts';
import { codeScan, networkScan, nmap, problems, repository, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterEach(() => setClock());
afterAll(() => world.stop());

const DAY_MS = 86_400_000;
const inDays = (days: number) => setClock(() => Date.now() + days * DAY_MS);

async function seen(table: Table): Promise<Record<string, unknown[]>> {
  const { data } = await table.list(assets, { paginateFrom: 0, paginateSize: 100 });
  return Object.fromEntries(
    data.map(({ name, version, lastSeenAt = '', sources }) => [
      name.split('/').at(-1),
      [version, Math.abs(Math.round((Date.parse(lastSeenAt) - Date.now()) / DAY_MS)), sources],
    ]),
  );
}

test('a report says of its assets when they were seen and by which tool, once a day', async () => {
  const table = world.newOrganization();
  const scan = (tool: string) => codeScan(sarif(problems(2), { tool }));
  await world.ingest(table, scan('acme-scan'));
  await world.ingest(table, scan('acme-scan'));
  expect(await seen(table)).toEqual({ api: [1, 0, ['acme-scan']] });
  await world.ingest(table, scan('other-scan'));
  expect(await seen(table)).toEqual({ api: [2, 0, ['acme-scan', 'other-scan']] });
  inDays(2);
  await world.ingest(table, scan('acme-scan'));
  await world.ingest(table, scan('acme-scan'));
  expect(await seen(table)).toEqual({ api: [3, 2, ['acme-scan', 'other-scan']] });
  await expectExact(table, [assets]);
});

test('an asset on which a scan finds nothing any more was seen too', async () => {
  const table = world.newOrganization();
  const hosts = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];
  await world.ingest(table, networkScan(nmap(hosts.map((address) => ({ address, ports: [80] })))));
  await world.ingest(table, codeScan(sarif(problems(1)), { target: repository('web') }));
  inDays(3);
  const later = nmap([
    { address: '10.0.0.1', ports: [80] },
    { address: '10.0.0.2', ports: [] },
    { address: '10.0.0.3', ports: [], state: 'down' },
  ]);
  await world.ingest(table, networkScan(later));
  await world.ingest(table, codeScan(sarif([]), { target: repository('web') }));
  expect(await seen(table)).toEqual({
    // two versions more than `web` has: their services, and the first look of a known tool
    '10.0.0.1': [4, 3, ['nmap']],
    '10.0.0.2': [5, 3, ['nmap']],
    '10.0.0.3': [3, 0, ['nmap']],
    web: [2, 3, ['acme-scan']],
  });
});

test('the tools of an asset are the same whichever of two scans came first', async () => {
  const audit = networkScan(
    JSON.stringify({
      tool: 'audit',
      findings: [{ title: 'Old kernel', severity: 'high', ruleId: 'K1', asset: { type: 'host', value: '10.0.0.1' } }],
    }),
    { format: 'generic' },
  );
  const [open, closed] = [[80], []].map((ports) => networkScan(nmap([{ address: '10.0.0.1', ports }])));
  const toolsAfter = async (...reports: (typeof audit | undefined)[]) => {
    const table = world.newOrganization();
    for (const report of reports) if (report) await world.ingest(table, report);
    return (await seen(table))['10.0.0.1']?.[2];
  };
  expect([await toolsAfter(audit, open), await toolsAfter(open, audit)]).toEqual([
    ['audit', 'nmap'],
    ['audit', 'nmap'],
  ]);
  // a host that merely answers is no asset, so that a scan which found nothing on it is noted in no order
  expect([await toolsAfter(audit, closed), await toolsAfter(closed, audit)]).toEqual([['audit'], ['audit']]);
});

test('a report that cannot be read says nothing of its assets', async () => {
  const table = world.newOrganization();
  await world.ingest(table, codeScan(sarif(problems(1))));
  inDays(2);
  const { status } = await world.ingest(table, codeScan(sarif(problems(1)).slice(0, -20)));
  expect([status, await seen(table)]).toEqual(['failed', { api: [1, 0, ['acme-scan']] }]);
});

test('a report that changes nothing costs at most 0.03 write units a finding', async () => {
  const table = world.newOrganization();
  const meter = attachMeter(table.dynamo);
  const scan = () => networkScan(nmap(hostsOf(50), { tried: { tcp: '1-65535' } }));
  await world.ingest(table, scan());
  const submissionAlone = await meter.measure(() =>
    world.ingest(table, networkScan(nmap([{ address: '10.9.9.9', ports: [] }]), { zone: 'else' })),
  );
  const again = await meter.measure(() => world.ingest(table, scan()));
  expect((again.writeUnits - submissionAlone.writeUnits) / 1000).toBeLessThanOrEqual(0.03);
  inDays(1.5);
  const nextDay = await meter.measure(() => world.ingest(table, scan()));
  // the record of each of the 50 assets, of which the place among those that were seen moves
  expect((nextDay.writeUnits - again.writeUnits) / 50).toBeLessThanOrEqual(2.6);
});

const hostsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    address: `10.0.0.${n + 1}`,
    ports: Array.from({ length: 20 }, (_port, port) => 1000 + port),
  }));
