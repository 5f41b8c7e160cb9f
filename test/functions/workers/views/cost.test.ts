import { afterAll, expect, test } from 'vitest';
import { openViews } from '#functions/workers/views/list.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { keepViews } from '#shared/platform/views/follow.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { codeScan } from '../imports/reports.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
const meter = attachMeter(world.connections.dynamo);
afterAll(async () => {
  setClock();
  await world.stop();
});

const [ASSETS, EACH] = [30, 30];

/** Hosts with 30 vulnerable packages each, most of which neighbouring hosts have too. */
const findings = Array.from({ length: ASSETS * EACH }, (_, n) => {
  const [host, place] = [Math.floor(n / EACH), n % EACH];
  const [cve, name] = [`CVE-2021-${10_000 + host * 5 + place}`, `package-${(host * 5 + place) % 90}`];
  return {
    title: `${cve} in ${name}`,
    severity: 'high',
    ruleId: cve,
    cves: [cve],
    component: { name, version: '1.0.0', fixedVersions: ['2.0.0'] },
    asset: { type: 'host', value: `host-${host}.example.test` },
  };
});

/** Marks are shared by fewer records here than in an import of thousands; `npm run bench -- vulnerabilities` measures that. */
test.each([
  { kept: 'its vulnerability', names: ['vulnerability'], units: 18 },
  { kept: 'all views', names: ['products', 'vulnerability', 'fixes', 'advisories'], units: 24 },
])('a new finding costs at most $units write units with $kept, and seeing it again none in views', async (of) => {
  const table = world.newOrganization();
  const views = (await openViews(world.connections)).filter(({ name }) => of.names.includes(name));
  expect(views).toHaveLength(of.names.length);
  const follow = async () => {
    const start = Date.now();
    setClock(() => start + (Date.now() - start) * 20);
    await keepViews(table, views, () => false);
    setClock();
  };
  const { writeUnits } = await meter.measure(async () => {
    const content = JSON.stringify({ tool: 'our-audit', findings });
    await world.ingest(table, codeScan(content, { format: 'generic', ref: undefined }));
    await follow();
  });
  const { totalCount } = await table.list(vulnerabilities, { paginateFrom: 0, paginateSize: 1 });
  expect(totalCount).toBe(ASSETS * EACH);
  expect(writeUnits / totalCount).toBeLessThan(of.units);
  const again = await meter.measure(follow);
  expect(again.writeUnits).toBe(0);
});
