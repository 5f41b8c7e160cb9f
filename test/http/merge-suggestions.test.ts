import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { mergeSuggestions } from '#shared/assets/identity/merge-suggestion.ts';
import type { Client } from '../support/client.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { finished, until } from '../support/wait.ts';

const system = startSystem();

const listed = (client: Client, items: readonly object[]) =>
  client.ok('importFindings', {
    query: { waitSeconds: 20 },
    body: {
      format: 'inventory',
      content: JSON.stringify({ assets: items.map((item) => ({ type: 'host', ...item })) }),
    },
  });
const idsOf = async (client: Client): Promise<Record<string, string>> =>
  Object.fromEntries((await client.ok('listAssets')).data.map(({ id, value }) => [value, id]));
const openOnes = (client: Client, count: number) =>
  until(
    async () => (await client.ok('listMergeSuggestions', { query: { status: 'open' } })).data,
    (some) => some.length === count,
  );

test('one machine that a scan and a cloud name is one asset, with the reason in the history, and stays two once they are parted', async () => {
  const { admin, table } = await system.newOrganization();
  const mac = '0a:1b:2c:3d:4e:5f';
  await listed(admin, [{ value: 'web-01', identifiers: { macs: [mac], hostnames: ['web-01'] } }]);
  const cloud = { cloudResourceId: 'i-0a1b2c3d4e5f60718', macs: [mac] };
  await listed(admin, [
    { type: 'cloud_resource', value: 'arn:aws:ec2:::instance/i-0a1b2c3d4e5f60718', identifiers: cloud },
  ]);
  const [merged] = await until(
    async () => (await admin.ok('listAssets')).data,
    (all) => all.length === 1,
  );
  expect(merged).toMatchObject({
    type: 'cloud_resource',
    aliases: [{ type: 'host', value: 'web-01' }],
    identifiers: { cloudResourceId: 'i-0a1b2c3d4e5f60718', macs: [mac], hostnames: ['web-01'] },
  });
  const [task] = (await admin.ok('listTasks', { query: { operation: 'merge_assets' } })).data;
  await finished(admin, task?.id ?? '');
  // a scan that names the host finds the asset that stayed
  await listed(admin, [{ value: 'web-01', services: [{ port: 22 }] }]);
  expect((await admin.ok('getAsset', { params: { id: merged?.id ?? '' } })).services).toMatchObject([{ port: 22 }]);
  await finished(admin, (await admin.ok('undoAssetMerge', { params: { taskId: task?.id ?? '' } })).taskId);
  await listed(admin, [{ value: 'printer', identifiers: { macs: ['0a:1b:2c:00:00:01'], ips: ['10.0.0.9'] } }]);
  await listed(admin, [{ value: '10.0.0.9' }]);
  // the newer pair was looked at after the parted one
  expect(await openOnes(admin, 1)).toMatchObject([{ by: 'ip' }]);
  expect((await admin.ok('listAssets')).totalCount).toBe(4);
  await expectExact(table, [assets, mergeSuggestions]);
});

test('two assets that may be one are suggested with what they share, and are merged when an administrator accepts', async () => {
  const { admin, table, ...organization } = await system.newOrganization();
  await listed(admin, [
    { value: '10.0.0.7' },
    { value: 'web-01', identifiers: { ips: ['10.0.0.7'], serialNumber: '5CG8431XYZ' } },
  ]);
  const ids = await idsOf(admin);
  const [suggestion] = await openOnes(admin, 1);
  expect(suggestion).toMatchObject({
    assetId: ids['10.0.0.7'],
    intoId: ids['web-01'],
    certain: false,
    by: 'ip',
    differing: [],
    evidence: [{ kind: 'ip', values: ['10.0.0.7'] }],
    reason: 'Both have the address 10.0.0.7.',
    taskId: null,
    asset: { value: '10.0.0.7' },
    into: { value: 'web-01', identifiers: { serialNumber: '5CG8431XYZ' } },
  });
  const params = { id: suggestion?.id ?? '' };
  const analyst = await organization.withRole('analyst');
  expect((await analyst.call('acceptMergeSuggestion', { params })).body).toMatchObject({ code: 'insufficient_scope' });
  const { taskId } = await admin.ok('acceptMergeSuggestion', { params });
  await finished(admin, taskId);
  expect(Object.keys(await idsOf(admin))).toEqual(['web-01']);
  const { data } = await admin.ok('listMergeSuggestions', { query: { assetId: ids['web-01'] } });
  expect(data).toMatchObject([{ status: 'accepted', taskId, decidedAt: expect.any(String), asset: null }]);
  expect((await admin.call('acceptMergeSuggestion', { params })).body).toMatchObject({ code: 'conflict' });
  await finished(admin, (await admin.ok('undoAssetMerge', { params: { taskId } })).taskId);
  expect((await admin.ok('listMergeSuggestions')).data).toMatchObject([{ status: 'dismissed', taskId: null }]);
  await expectExact(table, [assets, mergeSuggestions]);
});

test('a dismissed suggestion comes again only when the two share something more', async () => {
  const { admin, table, ...organization } = await system.newOrganization();
  await listed(admin, [{ value: '10.0.0.7' }, { value: 'web-01', identifiers: { ips: ['10.0.0.7'] } }]);
  const [first] = await openOnes(admin, 1);
  const analyst = await organization.withRole('analyst');
  expect(await analyst.ok('dismissMergeSuggestion', { params: { id: first?.id ?? '' } })).toMatchObject({
    id: first?.id,
    status: 'dismissed',
    decidedAt: expect.any(String),
  });
  await listed(admin, [{ value: 'web-01', identifiers: { fqdns: ['web-01.example.com'] } }]);
  await listed(admin, [
    { value: 'other' },
    { value: 'else', identifiers: { ips: ['10.0.0.8'] } },
    { value: '10.0.0.8' },
  ]);
  expect((await openOnes(admin, 1))[0]?.id).not.toBe(first?.id);
  await listed(admin, [{ value: '10.0.0.7', identifiers: { fqdns: ['web-01.example.com'] } }]);
  const again = await openOnes(admin, 2);
  expect(again.find(({ id }) => id === first?.id)).toMatchObject({ by: 'fqdn', certain: true });
  await expectExact(table, [assets, mergeSuggestions]);
});

test('an organization without automatic merges gets suggestions for certain matches, and none for a crowd', async () => {
  const { admin, table } = await system.newOrganization();
  await admin.ok('updateOrganizationSettings', { body: { mergeSameAssets: false } });
  const same = { serialNumber: '5CG8431XYZ' };
  await listed(admin, [
    { value: '10.1.0.1', identifiers: same },
    { value: 'two', identifiers: same },
  ]);
  expect(await openOnes(admin, 1)).toMatchObject([{ certain: true, by: 'serialNumber' }]);
  const behind = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => ({
      type: 'cloud_resource',
      value: `lb-${from + n}`,
      identifiers: { ips: ['192.0.2.1'] },
    }));
  await listed(admin, behind(0, 2));
  await openOnes(admin, 2);
  await listed(admin, behind(2, 6));
  expect(await openOnes(admin, 1)).toMatchObject([{ by: 'serialNumber' }]);
  await expectExact(table, [assets, mergeSuggestions]);
});
