import { expect, test } from 'vitest';
import { work } from '#functions/workers/sweeper/work.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { complianceDays } from '#shared/exposure/compliance/summary.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { gitleaks } from '../../../support/secret-reports.ts';
import { startSystem } from '../../../support/system.ts';
import { expectExact } from '../../../support/verify.ts';

const system = startSystem();
const DAY_MS = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const NO_SECRETS = { params: { controlId: 'pci-dss-4.0.1:8.6.2' } };

test('a control that nothing looked at for 90 days is not assessed any more, and each day is noted once', async () => {
  const { admin, table, organizationId } = await system.newOrganization();
  const scanned = async (repository: string, count: number) => {
    const content = gitleaks([{ secret: 'zz-EXAMPLE-0011223344556677', file: 'a.env' }].slice(0, count));
    const body = { format: 'gitleaks', content, repository };
    const { task } = await admin.ok('importFindings', { query: { waitSeconds: 20 }, body });
    expect(task).toMatchObject({ status: 'succeeded' });
  };
  await scanned('https://git.example.test/acme/shop', 0);
  const status = async () => (await admin.ok('getControl', NO_SECRETS)).status;
  const [shop] = (await admin.ok('listAssets', {})).data;
  const lookedAt = (day: string) =>
    table.modify(assets, shop?.id ?? '', ({ looks = [] }) => ({
      looks: looks.map((look) => ({ ...look, day })),
    }));
  const at = Date.now() - 1;
  const sweep = () => work(system.connections, { shard: 0, at, kind: 'asset', organizationId, id: newId() });
  await lookedAt(dayBefore(89));
  await sweep();
  expect(await status()).toBe('passed');
  await lookedAt(dayBefore(90));
  await sweep();
  expect(await status()).toBe('notAssessed');
  expect((await admin.ok('getAsset', { params: { id: shop?.id ?? '' } })).looks).toEqual([]);
  const noted = () => table.rows(complianceDays).find({ date: dayBefore(0) }, true);
  expect(await noted()).toMatchObject({ failedControls: 0 });
  await scanned('https://git.example.test/acme/site', 1);
  await sweep();
  const { failedControls } = await admin.ok('getComplianceSummary', {});
  expect(failedControls).toBeGreaterThan(0);
  expect(await noted()).toMatchObject({ failedControls });
  await expectExact(table, [assets]);
});
