import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';

const system = startSystem();

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}-${n}`);

test('a finding of an asset with the most tags and applications is made, changed, listed and counted', async () => {
  const { admin, table } = await system.newOrganization();
  const asset = { type: 'host' as const, value: 'full-1' };
  const { id: assetId } = await admin.ok('createAsset', { body: { ...asset, tags: numbered('tag', 50) } });
  for (const name of numbered('application', 20)) {
    const { id } = await admin.ok('createApplication', { body: { name } });
    await admin.ok('createAssetMapping', { params: { id }, body: { assetId } });
  }
  const body = {
    title: numbered('word', 20).join(' '),
    cves: ['CVE-2021-44228'],
    severity: 'high' as const,
    tags: numbered('own', 20),
    asset,
  };
  const { id } = await admin.ok('createFinding', { body });
  await admin.ok('updateFinding', { params: { id }, body: { status: 'in_progress', severity: 'low' } });
  for (const filter of ['asset.tag:tag-49 severity:low', 'tag:own-19 status:in_progress'])
    expect([filter, (await admin.ok('listFindings', { query: { filter } })).data]).toMatchObject([filter, [{ id }]]);
  expect((await admin.ok('listFindings', { query: { filter: 'severity:high' } })).totalCount).toBe(0);
  await expectExact(table, [findings]);
});

test('an asset of which all tags are replaced at once is refused with what to do, and stays as it is', async () => {
  const { admin, table } = await system.newOrganization();
  const body = { type: 'host' as const, value: 'full-1', tags: numbered('tag', 50) };
  const { id } = await admin.ok('createAsset', { body });
  const change = (tags: string[]) => admin.call('updateAsset', { params: { id }, body: { tags } });
  const refused = await change(numbered('other', 50));
  expect(refused).toMatchObject({
    status: 400,
    body: { code: 'limit_exceeded', message: expect.stringContaining('a part of the tags') },
  });
  expect((await change([...body.tags.slice(25), ...numbered('other', 25)])).status).toBe(200);
  await expectExact(table, [assets]);
});
