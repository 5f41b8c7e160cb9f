import { afterAll, expect, test } from 'vitest';
import { assetHandlers } from '#functions/assets/assets/handlers.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { networkScan, nmap } from '../../workers/imports/reports.ts';
import { startWorld } from '../../workers/imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());

test('a page of 25 assets with what is open on them takes four round trips and ten units, whatever filters it; by risk five and 25', async () => {
  const table = world.newOrganization();
  const hosts = Array.from({ length: 200 }, (_, n) => ({ address: `10.0.0.${n + 1}`, ports: [80, 443] }));
  await world.ingest(table, networkScan(nmap(hosts)));
  const call = { table, connections: world.connections, caller: { id: 'somebody' } };
  const meter = attachMeter(table.dynamo);
  const page = { paginateFrom: 100, paginateSize: 25 };
  for (const asked of [
    {},
    { sort: 'lastSeenAt' },
    { sort: 'riskScore' },
    { status: 'active', criticality: ['medium'], type: ['host'] },
  ]) {
    const usage = await meter.measure(async () => {
      const { data } = await assetHandlers.listAssets({ ...call, query: { ...page, ...asked } } as never);
      expect(data.map(({ openFindings }) => openFindings.info + openFindings.low + openFindings.medium)).toEqual(
        Array.from({ length: 25 }, () => 2),
      );
    });
    // the order by risk reads the counters of all matching assets, eight in a row, and their criticality and exposure
    const [roundTrips, readUnits] = 'sort' in asked && asked.sort === 'riskScore' ? [5, 25] : [4, 10];
    expect(usage.roundTrips).toBeLessThanOrEqual(roundTrips);
    expect(usage.readUnits).toBeLessThanOrEqual(readUnits);
  }
});
