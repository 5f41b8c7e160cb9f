import { describe, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { applicationExclusions } from '#shared/exposure/asset-rules/application-exclusion.ts';
import { applicationRules } from '#shared/exposure/asset-rules/application-rule.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { named, startWork } from '../support/applications.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { until } from '../support/wait.ts';

const system = startSystem();
const start = async () => startWork(await system.newOrganization());
const exact = [assets, applications, applicationRules, applicationExclusions];

describe('an application', () => {
  test('is kept with its people and environments, under a name of its own', async () => {
    const { organization, analyst, refused } = await start();
    const body = { name: 'Web shop', criticality: 'high' as const, tags: ['shop'], internetExposed: true };
    const created = await analyst.ok('createApplication', { body });
    expect(created).toMatchObject({
      ...body,
      description: null,
      ownerId: null,
      memberIds: [],
      assets: 0,
      environments: 0,
    });
    expect(created).toMatchObject({ version: 1, createdBy: { name: 'analyst' } });
    const params = { id: created.id };
    expect(await refused(analyst.call('createApplication', { body: { name: 'WEB SHOP' } }))).toEqual([
      400,
      'conflict',
      'name',
    ]);
    const nobody = { name: 'x', ownerId: newId() };
    expect(await refused(analyst.call('createApplication', { body: nobody }))).toEqual([
      400,
      'validation_failed',
      'ownerId',
    ]);
    const members = { memberIds: [newId()] };
    expect(await refused(analyst.call('updateApplication', { params, body: members }))).toEqual([
      ...[400, 'validation_failed', 'memberIds.0'],
    ]);
    const production = await analyst.ok('createEnvironment', {
      params,
      body: { name: 'production', kind: 'production' },
    });
    expect(production).toMatchObject({ applicationId: created.id, version: 1, description: null });
    expect(await refused(analyst.call('createEnvironment', { params, body: { name: 'Production' } }))).toEqual([
      ...[400, 'conflict', 'name'],
    ]);
    const one = { id: created.id, env_id: production.id };
    const renamed = await analyst.ok('updateEnvironment', { params: one, body: { name: 'live', version: 1 } });
    expect(renamed).toMatchObject({ name: 'live', version: 2, kind: 'production' });
    expect(await refused(analyst.call('updateEnvironment', { params: one, body: { name: 'x', version: 1 } }))).toEqual([
      ...[400, 'conflict', undefined],
    ]);
    expect(await analyst.ok('listEnvironments', { params })).toEqual([renamed]);
    const read = await analyst.ok('getApplication', { params });
    expect(read).toMatchObject({ environments: 1, version: 3 });
    const { version } = await analyst.ok('updateApplication', { params, body: { ...read } as never });
    expect(version).toBe(3);
    expect(await analyst.ok('updateApplication', { params, body: { name: 'Shop', ownerId: null } })).toMatchObject({
      name: 'Shop',
      version: 4,
      environments: 1,
    });
    expect((await analyst.ok('listApplications')).data).toMatchObject([{ id: created.id, name: 'Shop' }]);
    await analyst.ok('deleteEnvironment', { params: one });
    expect(await refused(analyst.call('deleteEnvironment', { params: one }))).toEqual([400, 'not_found', undefined]);
    const reader = await organization.apiKey(['assets:read']);
    expect((await reader.ok('listApplications')).totalCount).toBe(1);
    expect(await reader.call('deleteApplication', { params })).toMatchObject({ status: 401 });
    await expectExact(organization.table, exact);
  });

  test('has the assets that people link, and gives them up', async () => {
    const { organization, analyst, refused, host, application, link, linked } = await start();
    const [id, one, two] = [await application('Shop'), await host('web-1'), await host('web-2')];
    const params = { id };
    const { id: env } = await analyst.ok('createEnvironment', { params, body: { name: 'production' } });
    const mapping = await link(id, one, { environmentId: env, note: 'front' });
    expect(mapping).toMatchObject({
      applicationId: id,
      assetId: one,
      asset: { name: 'web-1' },
      environmentId: env,
      note: 'front',
      origin: 'manual',
      ruleId: null,
      createdBy: { name: 'analyst' },
    });
    expect(await refused(analyst.call('createAssetMapping', { params, body: { assetId: one } }))).toEqual([
      400,
      'conflict',
      undefined,
    ]);
    for (const body of [{ assetId: newId() }, { assetId: two, environmentId: newId() }])
      expect(await refused(analyst.call('createAssetMapping', { params, body }))).toEqual([
        ...[400, 'validation_failed', 'environmentId' in body ? 'environmentId' : 'assetId'],
      ]);
    expect(await analyst.ok('getAsset', { params: { id: one } })).toMatchObject({ applicationIds: [id] });
    expect((await analyst.ok('listAssets', { query: { applicationId: id } })).data).toMatchObject([{ id: one }]);
    expect((await analyst.ok('searchAvailableAssets', { params })).data).toMatchObject([{ id: two }]);
    expect(await analyst.ok('searchAvailableAssets', { params, query: { search: 'web-1' } })).toMatchObject({
      totalCount: 0,
    });
    expect(await analyst.ok('getAssetsSummary')).toMatchObject({ total: 2, withoutApplication: 1 });
    await analyst.ok('deleteEnvironment', { params: { id, env_id: env } });
    await until(
      () => analyst.ok('listAssetMappings', { params }),
      ([first]) => first?.environmentId === null,
    );
    const mine = { id, mapping_id: mapping.id };
    await analyst.ok('deleteAssetMapping', { params: mine });
    expect(await refused(analyst.call('deleteAssetMapping', { params: mine }))).toEqual([400, 'not_found', undefined]);
    expect(await linked(id)).toEqual([]);
    await expectExact(organization.table, exact);
  });

  test('takes assets in bulk by what they have, and says of each item what became of it', async () => {
    const { organization, analyst, host, application, linked } = await start();
    const cloud = { provider: 'aws', accountId: '1234', tags: { env: 'prod', team: 'shop' } };
    const [id, one] = [await application('Shop'), await host('web-1', { tags: ['shop'], cloud })];
    await host('web-2', { cloud: { ...cloud, tags: { env: 'test' } }, identifiers: { ips: ['10.1.2.3'] } });
    await host('db-1', { zone: 'plant' });
    const params = { id };
    expect(await analyst.ok('listCloudTags')).toMatchObject({
      data: [
        { key: 'env', assets: 2 },
        { key: 'team', assets: 1 },
      ],
    });
    const kinds = await analyst.ok('listScopeKinds', { query: { paginateSize: 500 } });
    expect(Object.fromEntries(kinds.data.map(({ kind, count }) => [kind, count]))).toEqual({
      asset: 3,
      type: 3,
      zone: 1,
      tag: 1,
      cloud_tag: 2,
      cloud_account: 2,
      repository: 0,
      hostname: 3,
      cidr: 1,
    });
    await analyst.ok('createAssetExclusion', { params, body: { condition: named('db-*'), reason: 'no shop' } });
    await until(
      () => analyst.ok('searchAvailableAssets', { params }),
      ({ totalCount }) => totalCount === 2,
    );
    const items = [
      { kind: 'tag', value: 'shop' },
      { kind: 'asset', id: one },
      { kind: 'asset', id: newId() },
      { kind: 'cidr', value: '10.1.0.0/40' },
      { kind: 'cidr', value: '10.1.0.0/16' },
      { kind: 'zone', value: 'plant' },
      { kind: 'cloud_tag', value: 'env=nothing' },
      { kind: 'asset', value: 'web-1' },
      { kind: 'planet', value: 'earth' },
      { kind: 'asset', id: 'web-1' },
      { kind: 'tag', value: '' },
    ];
    const answer = await analyst.ok('bulkLinkAssets', { params, body: { items } });
    expect(answer).toMatchObject({ linked: 2, alreadyLinked: 0, excluded: 1 });
    expect(answer.rejected.map(({ index, code }) => [index, code])).toEqual([
      ...[
        [2, 'not_found'],
        [3, 'validation_failed'],
        [6, 'not_found'],
        [7, 'validation_failed'],
        [8, 'validation_failed'],
        [9, 'validation_failed'],
        [10, 'validation_failed'],
      ],
    ]);
    expect(await linked(id)).toEqual(['web-1 bulk', 'web-2 bulk']);
    expect(
      await analyst.ok('bulkLinkAssets', { params, body: { items: [{ kind: 'hostname', value: 'web-*' }] } }),
    ).toEqual({
      linked: 0,
      alreadyLinked: 2,
      excluded: 0,
      rejected: [],
    });
    await expectExact(organization.table, exact);
  });
});
