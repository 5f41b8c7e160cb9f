import { expect, test } from 'vitest';
import { assetTagFollower } from '#functions/workers/views/asset-tags.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { addFinding, follow, log4j } from '../support/vulnerabilities.ts';
import { eventually, finished } from '../support/wait.ts';

const system = startSystem();

/** An organization with a finding on each of these assets, which were stored before findings had fields of their assets. */
async function withFindingsOn(bodies: Readonly<Record<string, object>>) {
  const organization = await system.newOrganization();
  const { table, admin } = organization;
  const ids: Record<string, string> = {};
  for (const [value, body] of Object.entries(bodies)) {
    const { id } = await admin.ok('createAsset', { body: { type: 'host', value, ...body } as never });
    ids[value] = id;
    await addFinding(table, log4j({ asset: { id, name: value, type: 'host', zone: null } }));
  }
  const context = { connections: system.connections, table };
  const following = () => follow(context, assetTagFollower(context));
  const expectFound = async (filter: string, names: string[]) => {
    const lists = [
      await admin.ok('listFindings', { query: { filter } }),
      await admin.ok('listVulnerabilities', { query: { filter } }),
    ];
    for (const { data, totalCount } of lists) {
      expect({ filter, names: data.map(({ asset }) => asset.name).sort() }).toEqual({ filter, names });
      expect(totalCount).toBe(names.length);
    }
  };
  return { ...organization, ids, following, expectFound };
}

test('findings and vulnerabilities are found by tags, owner, criticality and exposure of the asset as they are now', async () => {
  const { table, admin, ids, following, expectFound } = await withFindingsOn({ shop: {}, pay: {}, old: {} });
  await following();
  await expectFound('asset.tag:*', []);
  await expectFound('asset.owner:none asset.criticality:medium -asset.exposed:true', ['old', 'pay', 'shop']);
  const change = async (name: string, body: object) =>
    admin.ok('updateAsset', { params: { id: ids[name] ?? '' }, body: body as never });
  await admin.ok('createAssetTagRule', {
    body: { name: 'pay', condition: { field: 'hostname', operator: 'equals', value: 'pay' }, tags: ['Pci'] } as never,
  });
  const [{ id: me } = { id: '' }] = (await admin.ok('listServiceAccounts')).data;
  await change('shop', { tags: ['Prod', 'internet'], ownerId: me, criticality: 'critical' });
  await change('pay', { tags: ['PROD'], internetExposed: true, criticality: 'high' });
  await following();
  await eventually(() => expectFound('asset.tag:pci', ['pay']));
  await eventually(() => expectFound('asset.tag:prod', ['pay', 'shop']));
  await expectFound('asset.tag:PROD -asset.tag:internet', ['pay']);
  await expectFound('-asset.tag:*', ['old']);
  await expectFound('asset.owner:me', ['shop']);
  await expectFound('asset.owner:none', ['old', 'pay']);
  await expectFound('asset.owner:*', ['shop']);
  await expectFound('asset.criticality:high,critical', ['pay', 'shop']);
  await expectFound('asset.criticality:medium,high', ['old', 'pay']);
  await expectFound('asset.exposed:true', ['pay']);
  await expectFound('-asset.exposed:true asset.criticality:medium', ['old']);
  await change('shop', { tags: [], ownerId: null });
  await following();
  await eventually(() => expectFound('asset.tag:prod', ['pay']));
  await eventually(() => expectFound('asset.owner:me', []));
  await expectExact(table, [findings, vulnerabilities, assets]);
});

test('a merge and its undo bring the findings of both assets to their tags', async () => {
  const { table, admin, ids } = await withFindingsOn({ one: {}, two: {} });
  const { one = '', two = '' } = ids;
  const expectTagged = async (filter: string, expected: string[]) => {
    const { data } = await admin.ok('listFindings', { query: { filter } });
    expect({ filter, on: data.map(({ asset }) => asset.id) }).toEqual({ filter, on: expected });
  };
  await admin.ok('updateAsset', { params: { id: one }, body: { tags: ['Prod'] } as never });
  await admin.ok('updateAsset', { params: { id: two }, body: { tags: ['dmz'] } as never });
  await eventually(() => expectTagged('asset.tag:prod', [one]));
  await eventually(() => expectTagged('asset.tag:dmz', [two]));
  const { taskId = '' } = await admin.ok('mergeAssets', { params: { id: one }, body: { intoId: two } });
  await finished(admin, taskId);
  await eventually(async () => {
    const { data } = await admin.ok('listFindings', { query: { filter: 'asset.tag:prod asset.tag:dmz' } });
    expect(new Set(data.map(({ asset }) => asset.id))).toEqual(new Set([two]));
  });
  await eventually(() => expectTagged('-asset.tag:prod OR -asset.tag:dmz', []));
  const { taskId: undo = '' } = await admin.ok('undoAssetMerge', { params: { taskId } });
  await finished(admin, undo);
  await eventually(() => expectTagged('asset.tag:dmz', [two]));
  await eventually(() => expectTagged('asset.tag:prod', [one]));
  await expectExact(table, [findings, assets]);
});

test('`rekey` brings older findings to the tags and owners of their assets', async () => {
  const { table, admin } = await withFindingsOn({ shop: { tags: ['Prod'] }, old: {} });
  const found = async () => (await admin.ok('listFindings', { query: { filter: 'asset.tag:prod' } })).totalCount;
  expect(await found()).toBe(0);
  const { taskId } = await admin.ok('startMaintenance', { body: { work: 'rekey' } });
  expect(await finished(admin, taskId ?? '')).toMatchObject({ status: 'succeeded' });
  await eventually(async () => expect(await found()).toBe(1));
  await expectExact(table, [findings]);
});

test('a tag is one tag in any letter case, and keeps the spelling of its first writer', async () => {
  const { admin } = await system.newOrganization();
  const asset = await admin.ok('createAsset', { body: { type: 'host', value: 'shop', tags: ['Straße'] } as never });
  const finding = { title: 'weak', severity: 'high', assetId: asset.id, tags: ['Prod'] };
  const { id } = await admin.ok('createFinding', { body: finding as never });
  const params = { id };
  const tagsAfter = async (body: object) => (await admin.ok('updateFinding', { params, body: body as never })).tags;
  expect(await tagsAfter({ addTags: ['PROD', 'x'] })).toEqual(['Prod', 'x']);
  expect(await tagsAfter({ removeTags: ['X'] })).toEqual(['Prod']);
  const body = { filter: { tag: 'prod' }, changes: { addTags: ['pROD', 'new'] } };
  const { taskId } = await admin.ok('updateFindings', { body });
  expect((await finished(admin, taskId ?? '')).result).toMatchObject({ matched: 1, changed: 1 });
  for (const query of [{ tag: 'PROD' }, { filter: 'tag:pRoD' }, { filter: 'asset.tag:STRASSE' }])
    expect((await admin.ok('listFindings', { query })).data).toMatchObject([{ id, tags: ['Prod', 'new'] }]);
  for (const query of [{ tag: 'STRASSE' }, { filter: 'tag:strasse' }])
    expect((await admin.ok('listAssets', { query })).data).toMatchObject([{ id: asset.id, tags: ['Straße'] }]);
  const values = await admin.ok('listFilterValues', { query: { entity: 'finding', field: 'tag', search: 'PRO' } });
  expect(values).toEqual([{ value: 'prod', count: 1 }]);
});
