import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { scoresOf, scoreWrite } from '#shared/exposure/applications/scores.ts';
import { applicationExclusions } from '#shared/exposure/asset-rules/application-exclusion.ts';
import { applicationRules } from '#shared/exposure/asset-rules/application-rule.ts';
import { keptWrite } from '#shared/exposure/asset-rules/kept.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { named, startWork } from '../support/applications.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';

const system = startSystem();

type Work = Awaited<ReturnType<typeof startWork>>;

/** An application with a rule, exclusions of both kinds, a link of people, a score and an environment. */
async function withShop() {
  const work = await startWork(await system.newOrganization());
  const { analyst, host, application, link, rule, newest, organization } = work;
  const [web, db, old, lab] = [await host('web-1'), await host('db-1'), await host('web-2'), await host('web-lab-1')];
  const id = await application('Shop');
  const environment = await analyst.ok('createEnvironment', { params: { id }, body: { name: 'live' } });
  await rule(id, named('web-*'), { environmentId: environment.id });
  await link(id, db, { environmentId: environment.id, note: 'the till' });
  await analyst.ok('createAssetExclusion', { params: { id }, body: { assetId: old, reason: 'old' } });
  await analyst.ok('createAssetExclusion', { params: { id }, body: { condition: named('web-lab-*'), reason: 'lab' } });
  await organization.table.commit((batch) => batch.write(scoreWrite(organization.table, id, 42)));
  await newest();
  return { ...work, id, web, db, lab };
}

/** All of an application that people see, without the times and versions of the change itself. */
async function seen({ analyst, organization }: Work, id: string) {
  const params = { id };
  const [application, rules, exclusions, mappings, { data }, scores] = await Promise.all([
    analyst.ok('getApplication', { params }),
    analyst.ok('listAssetRules', { params }),
    analyst.ok('listAssetExclusions', { params }),
    analyst.ok('listAssetMappings', { params }),
    analyst.ok('listAssets', { query: { applicationId: id } }),
    scoresOf(organization.table, id),
  ]);
  const own = ({ version, updatedAt, taskId, lastEvaluatedAt, ...record }: Record<string, unknown>) => record;
  return {
    application: own(application),
    rules: rules.data.map(own),
    exclusions: exclusions.data.map(own),
    mappings: mappings.map(({ createdAt, ...link }) => (link.ruleId ? link : { ...link, createdAt })),
    assets: data.map((asset) => asset.id),
    scores: scores.map(({ score, date }) => ({ score, date })),
  };
}

test('an application that is deleted by mistake comes back with its rules, exclusions, links, environments and scores', async () => {
  const work = await withShop();
  const { analyst, newest, organization, id, refused, host } = work;
  const params = { id };
  const before = await seen(work, id);
  expect(before.assets).toHaveLength(2);
  await analyst.ok('deleteApplication', { params });
  await newest();
  expect((await analyst.ok('listAssets', { query: { applicationId: id } })).totalCount).toBe(0);
  expect(await scoresOf(organization.table, id)).toEqual([]);
  // another change of an asset in between leaves the link where it is kept
  await analyst.ok('updateAsset', { params: { id: work.db }, body: { tags: ['till'] } });
  const added = await host('web-3');
  expect((await analyst.ok('restoreApplication', { params })).name).toBe('Shop');
  await newest();
  const after = await seen(work, id);
  expect(after.assets.sort()).toEqual([...before.assets, added].sort());
  const others = ({ assetId }: { assetId: string }) => assetId !== added;
  const kept = { ...after, assets: before.assets, mappings: after.mappings.filter(others) };
  const counted = { ...before.application, assets: 3, links: expect.anything() };
  const rules = before.rules.map((rule) => ({ ...rule, matchCount: expect.any(Number) }));
  expect(kept).toEqual({ ...before, application: counted, rules });
  expect(await refused(analyst.call('restoreApplication', { params }))).toEqual([400, 'not_found', undefined]);
  await expectExact(organization.table, [assets, applicationRules, applicationExclusions]);
});

test('it is restored again after another deletion, as it was then', async () => {
  const work = await withShop();
  const { analyst, newest, id, db } = work;
  const params = { id };
  await analyst.ok('deleteApplication', { params });
  await newest();
  await analyst.ok('restoreApplication', { params });
  await newest();
  const [mapping] = (await analyst.ok('listAssetMappings', { params })).filter(({ assetId }) => assetId === db);
  await analyst.ok('deleteAssetMapping', { params: { id, mapping_id: mapping?.id ?? '' } });
  await newest();
  const before = await seen(work, id);
  await analyst.ok('deleteApplication', { params });
  await newest();
  await analyst.ok('restoreApplication', { params });
  await newest();
  expect((await seen(work, id)).assets).toEqual(before.assets);
});

test('after a day, with the name of another application, or by who may not delete it, it does not come back', async () => {
  const work = await withShop();
  const { analyst, newest, id, organization, application, refused } = work;
  const params = { id };
  await analyst.ok('deleteApplication', { params });
  await newest();
  const viewer = await organization.withRole('viewer');
  expect(await refused(viewer.call('restoreApplication', { params }))).toEqual([401, 'insufficient_scope', undefined]);
  const other = await system.newOrganization();
  const foreign = await other.withRole('analyst');
  expect(await refused(foreign.call('restoreApplication', { params }))).toEqual([400, 'not_found', undefined]);
  await application('shop');
  expect((await refused(analyst.call('restoreApplication', { params })))[1]).toBe('conflict');
  const { table } = organization;
  const record = { ...(await analyst.ok('listApplications')).data[0], id, environments: [] };
  const removal = { taskId: id, at: inSeconds(-86_500) };
  await table.commit((batch) =>
    batch.write(...keptWrite(table, { applicationId: id, kind: 'application' }, record as never, removal)),
  );
  expect((await refused(analyst.call('restoreApplication', { params })))[1]).toBe('conflict');
});
