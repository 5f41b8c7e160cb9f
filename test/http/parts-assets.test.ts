import { beforeAll, expect, test } from 'vitest';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { startWork } from '../support/applications.ts';
import type { Client } from '../support/client.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { addFinding } from '../support/vulnerabilities.ts';
import { eventually, finished } from '../support/wait.ts';

const system = startSystem();

let organization: TestOrganization;
let work: Awaited<ReturnType<typeof startWork>>;
let team: string;
/** Applications: `shop` has the asset of the team, `bank` belongs to the team and has none, `other` is of nobody. */
let shop: string;
let bank: string;
let other: string;
let owned: string;
let inDmz: string;
let outside: string;

beforeAll(async () => {
  organization = await system.newOrganization();
  work = await startWork(organization);
  team = (await organization.admin.ok('createTeam', { body: { name: 'Web' } })).id;
  owned = await work.host('web-1', { zone: 'lab', ownerId: team });
  inDmz = await work.host('web-2', { zone: 'dmz' });
  outside = await work.host('web-3', { zone: 'lab' });
  shop = await work.application('shop');
  bank = await work.application('bank', { ownerId: team });
  other = await work.application('other');
  await work.link(shop, owned);
  await work.link(other, outside);
  const at = new Date(nowMs()).toISOString();
  const asset = (id: string, name: string, zone: string) => ({ id, type: 'host' as const, name, zone });
  const { table } = organization;
  await addFinding(table, { asset: asset(owned, 'web-1', 'lab'), applicationIds: [shop], assetOwnerId: team }, at);
  await addFinding(table, { asset: asset(inDmz, 'web-2', 'dmz') }, at);
  await addFinding(table, { asset: asset(outside, 'web-3', 'lab'), applicationIds: [other] }, at);
});

type Scope = Parameters<TestOrganization['person']>[1];

const expectNotFound = async (answer: Promise<{ status: number; body: unknown }>) =>
  expect(await answer).toMatchObject({ status: 400, body: { code: 'not_found' } });

test('a part of a team has the assets and applications that the team owns, and their findings', async () => {
  const person = await organization.person('analyst', { teamIds: [team] });
  expect((await person.ok('listAssets')).data.map(({ id }) => id)).toEqual([owned]);
  expect((await person.ok('listFindings')).data.map(({ asset }) => asset.id)).toEqual([owned]);
  expect((await person.ok('listApplications')).data).toMatchObject([{ id: bank, assets: 0 }]);
  await expectNotFound(person.call('getApplication', { params: { id: shop } }));
  const given = { params: { id: owned }, body: { ownerId: person.id } };
  expect((await person.call('updateAsset', given)).body).toMatchObject({ code: 'insufficient_scope' });
});

test('applications of a part answer as for an administrator, others do not exist', async () => {
  const { admin } = organization;
  const person = await organization.person('analyst', { applicationIds: [shop, bank] });
  const all = (await admin.ok('listApplications')).data;
  expect((await person.ok('listApplications')).data).toEqual(all.filter(({ id }) => id !== other));
  expect((await person.ok('listApplications', { query: { teamId: team } })).data.map(({ id }) => id)).toEqual([bank]);
  const reads = ['getApplication', 'listEnvironments', 'listAssetMappings', 'listApplicationFindings'] as const;
  for (const operation of [...reads, 'listApplicationVulnerabilities'] as const) {
    for (const id of [shop, bank])
      expect([operation, await person.ok(operation, { params: { id } })]).toEqual([
        operation,
        await admin.ok(operation, { params: { id } }),
      ]);
    await expectNotFound(person.call(operation, { params: { id: other } }));
  }
  const risks = [person, admin].map((client) => riskOf(client, shop));
  expect(await risks[0]).toEqual(await risks[1]);
  await expectNotFound(person.call('getRiskSummary', { params: { id: other } }));
  const body = { criticality: 'critical' as const };
  const changed = await person.ok('updateApplication', { params: { id: bank }, body });
  expect(await admin.ok('getApplication', { params: { id: bank } })).toEqual(changed);
  await expectNotFound(person.call('updateApplication', { params: { id: other }, body }));
});

const riskOf = async (client: Client, id: string) => {
  const { computedAt: _computedAt, ...risk } = await client.ok('getRiskSummary', { params: { id } });
  return risk;
};

test('an application that is seen by its owner counts the records of the part only', async () => {
  await work.link(bank, outside);
  const person = await organization.person('viewer', { teamIds: [team] });
  const params = { id: bank };
  expect(await person.ok('getApplication', { params })).toMatchObject({ assets: 0 });
  expect(await organization.admin.ok('getApplication', { params })).toMatchObject({ assets: 1 });
  expect(await person.ok('listAssetMappings', { params })).toEqual([]);
  expect(await person.ok('getRiskSummary', { params })).toMatchObject({ score: 0, change30d: null });
});

test('assets are made and changed in the part, with what follows for their findings', async () => {
  const { admin } = organization;
  const person = await organization.person('analyst', { zones: ['dmz'] });
  const body = { criticality: 'critical' as const, tags: ['edge'], name: 'Edge' };
  const params = { id: inDmz };
  const changed = await person.ok('updateAsset', { params, body });
  expect(changed).toMatchObject(body);
  expect(await admin.ok('getAsset', { params })).toEqual(changed);
  await eventually(async () =>
    expect((await admin.ok('listFindings', { query: { filter: 'asset.tag:edge' } })).data).toMatchObject([
      { asset: { id: inDmz } },
    ]),
  );
  await eventually(async () => {
    const history = await person.ok('listAssetHistory', { params });
    expect(history.data).toHaveLength(2);
    expect(history).toEqual(await admin.ok('listAssetHistory', { params }));
  });
  await expectNotFound(person.call('listAssetHistory', { params: { id: outside } }));
  await expectNotFound(person.call('updateAsset', { params: { id: outside }, body: { tags: ['x'] } }));
  const made = await person.ok('createAsset', { body: { type: 'host', value: 'web-9', zone: 'dmz' } });
  expect((await person.ok('listAssets')).data.map(({ id }) => id)).toEqual([made.id, inDmz]);
  const elsewhere = { type: 'host' as const, value: 'web-10', zone: 'lab' };
  const before = (await admin.ok('listAssets')).totalCount;
  expect((await person.call('createAsset', { body: elsewhere })).body).toMatchObject({ code: 'insufficient_scope' });
  expect((await admin.ok('listAssets')).totalCount).toBe(before);
});

test('the dashboard of assets counts the assets of its lists, and no others', async () => {
  await work.host('web-20', { zone: 'dmz', internetExposed: true, ownerId: team, criticality: 'low' });
  const parts: [Scope, number][] = [
    [{ zones: ['dmz'] }, (await organization.admin.ok('listAssets', { query: { zone: 'dmz' } })).totalCount],
    [{ applicationIds: [shop] }, 1],
    [{ teamIds: [team] }, 2],
  ];
  for (const [scope, total] of parts) {
    const person = await organization.person('viewer', scope);
    const { links, ...summary } = await person.ok('getAssetsSummary');
    expect(summary).toMatchObject({ total, byType: { host: total }, seen7d: total, stale30d: 0 });
    for (const [figure, path] of Object.entries(links.list)) {
      const page = await person.send('GET', path, {});
      const counted = figure.split('.').reduce((value: unknown, name) => Reflect.get(Object(value), name), summary);
      expect([figure, Object(page.body).totalCount]).toEqual([figure, counted]);
    }
  }
});

test('the trend of a part is that of its assets', async () => {
  const { admin } = organization;
  const parts: [Scope, string[]][] = [
    [{ zones: ['lab'] }, [owned, outside]],
    [{ teamIds: [team] }, [owned]],
    [{ applicationIds: [other] }, [outside]],
  ];
  for (const [scope, ids] of parts) {
    const person = await organization.person('viewer', scope);
    const trends = await Promise.all(ids.map((assetId) => admin.ok('getFindingsTrend', { query: { assetId } })));
    const own = await person.ok('getFindingsTrend');
    expect(own.opened.low + own.opened.high + own.opened.critical + own.opened.medium).toBe(ids.length);
    for (const severity of ['critical', 'high', 'medium', 'low', 'info'] as const)
      expect(own.opened[severity]).toBe(trends.reduce((sum, { opened }) => sum + opened[severity], 0));
    const [assetId] = ids;
    expect(await person.ok('getFindingsTrend', { query: { assetId } })).toEqual(trends[0]);
    await expectNotFound(person.call('getFindingsTrend', { query: { assetId: inDmz } }));
  }
});

test('assets are retired, returned and deleted with all of their findings, where they stay in the part', async () => {
  const { admin, table } = organization;
  const id = await work.host('web-30', { zone: 'attic' });
  await work.link(shop, id);
  const at = new Date(nowMs()).toISOString();
  await addFinding(table, { asset: { id, type: 'host', name: 'web-30', zone: 'attic' }, applicationIds: [shop] }, at);
  const person = await organization.person('admin', { zones: ['attic'] });
  const params = { id };
  const found = async () => (await admin.ok('listFindings', { query: { assetId: id } })).totalCount;
  const ofShop = await organization.person('admin', { applicationIds: [shop] });
  expect((await ofShop.call('retireAsset', { params })).body).toMatchObject({ code: 'insufficient_scope' });
  for (const [operation, left] of [
    ['retireAsset', 0],
    ['returnAsset', 1],
    ['deleteAsset', 0],
  ] as const) {
    await expectNotFound(person.call(operation, { params: { id: outside } }));
    const { taskId } = await person.ok(operation, { params });
    expect(await finished(person, taskId)).toMatchObject({ status: 'succeeded' });
    expect([operation, await found()]).toEqual([operation, left]);
  }
  await expectNotFound(admin.call('getAsset', { params }));
});

test('the software and the exposure of an asset are read in the part, without credentials', async () => {
  const person = await organization.person('viewer', { applicationIds: [shop] });
  for (const operation of ['listAssetSoftware', 'getAssetExposure'] as const) {
    const params = { id: owned };
    expect(await person.ok(operation, { params })).toEqual(await organization.admin.ok(operation, { params }));
    await expectNotFound(person.call(operation, { params: { id: outside } }));
  }
});

test('people, teams, settings and times to fix are no records of a part', async () => {
  const person = await organization.person('analyst', { zones: ['dmz'] });
  const all = ['listTeams', 'getSlaPolicies', 'getOrganizationSettings', 'listAdvisoryFeeds'] as const;
  for (const operation of all) expect(await person.ok(operation)).toEqual(await organization.admin.ok(operation));
  expect((await person.ok('listUsers')).data.map(({ id }) => id)).toContain(person.id);
  const upload = await person.ok('createUpload', { body: { sizeBytes: 3, sha256: '0'.repeat(64) } });
  expect(await person.ok('getUpload', { params: { id: upload.uploadId } })).toMatchObject({ state: 'open' });
});

test('two assets of a part are merged and parted again, with all their findings; one of another part does not exist', async () => {
  const person = await organization.person('admin', { zones: ['plant'] });
  const [from, into] = [await work.host('pump-1', { zone: 'plant' }), await work.host('pump-2', { zone: 'plant' })];
  const at = new Date(nowMs()).toISOString();
  for (const [id, name] of [
    [from, 'pump-1'],
    [into, 'pump-2'],
  ] as const)
    await addFinding(organization.table, { asset: { id, type: 'host', name, zone: 'plant' } }, at);
  const merge = (id: string, intoId: string) => person.call('mergeAssets', { params: { id }, body: { intoId } });
  await expectNotFound(merge(from, inDmz));
  await expectNotFound(merge(inDmz, into));
  const { taskId } = await person.ok('mergeAssets', { params: { id: from }, body: { intoId: into } });
  expect(await finished(person, taskId)).toMatchObject({ status: 'succeeded' });
  const places = async () => (await person.ok('listFindings')).data.map(({ asset }) => asset.id).sort();
  expect(new Set(await places())).toEqual(new Set([into]));
  await expectNotFound(person.call('getAsset', { params: { id: from } }));
  const another = await organization.person('admin', { zones: ['plant', 'dmz'] });
  await expectNotFound(another.call('undoAssetMerge', { params: { taskId } }));
  const undo = await person.ok('undoAssetMerge', { params: { taskId } });
  expect(await finished(person, undo.taskId)).toMatchObject({ status: 'succeeded' });
  expect(await places()).toEqual([from, into].sort());
  expect((await organization.admin.ok('getAsset', { params: { id: from } })).zone).toBe('plant');
});
