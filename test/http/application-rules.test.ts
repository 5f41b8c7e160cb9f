import { describe, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { applicationExclusions } from '#shared/exposure/asset-rules/application-exclusion.ts';
import { applicationRules } from '#shared/exposure/asset-rules/application-rule.ts';
import { newRulesTask } from '#shared/exposure/asset-rules/apply.ts';
import { newTaskWrites, sendTask } from '#shared/platform/jobs/task.ts';
import { named, startWork } from '../support/applications.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { finished, until } from '../support/wait.ts';

const system = startSystem();
const start = async () => startWork(await system.newOrganization());
const exact = [assets, applications, applicationRules, applicationExclusions];

describe('a rule of an application', () => {
  test('is applied before a change and an export by application that are sent right after it', async () => {
    const { organization, analyst, host, application } = await start();
    const [id] = [await application('Shop'), await host('web-1')];
    const asset = { type: 'host' as const, value: 'web-1' };
    const found = await analyst.ok('createFinding', { body: { title: 'Weak', severity: 'low', asset } });
    const resource = { type: 'application-rule', id };
    const held = newRulesTask(organization.table, { ruleIds: [], conditions: [] }, resource);
    await organization.table.write(...newTaskWrites(organization.table, held.task));
    const body = { filter: { applicationId: id }, changes: { addTags: ['shop'] } };
    const waitsFor = { operation: 'apply_asset_rules', taskId: held.task.id };
    const written = { ...body, filter: { filter: `-(kev:true OR -application:${id})` } };
    const previews = [body, written].map((one) => analyst.ok('updateFindings', { body: { ...one, dryRun: true } }));
    const update = await analyst.ok('updateFindings', { body });
    const exported = await analyst.ok('exportFindings', { body: { filter: body.filter } });
    const seen = await until(
      () => analyst.ok('getFindingsExport', { params: { taskId: exported.taskId ?? '' } }),
      ({ progress }) => progress.waitsFor !== undefined,
    );
    expect(seen.progress.waitsFor).toEqual(waitsFor);
    await analyst.ok('createAssetRule', { params: { id }, body: { name: 'hosts', condition: named('web-*') } });
    await sendTask(system.connections, organization.table, held.task, held.send);
    for (const { preview } of await Promise.all(previews)) expect(preview).toMatchObject({ matched: 1 });
    expect((await finished(analyst, update.taskId ?? '')).result).toMatchObject({ matched: 1, changed: 1 });
    expect((await finished(analyst, exported.taskId ?? '')).result).toMatchObject({ findings: 1 });
    expect((await analyst.ok('getFinding', { params: { id: found.id } })).tags).toEqual(['shop']);
  });

  test('links what it meets, follows assets, and yields to exclusions but not to people', async () => {
    const { organization, analyst, refused, host, application, link, linked, rule, newest } = await start();
    const [id, one] = [await application('Shop'), await host('web-1')];
    const [two] = [await host('web-2'), await host('db-1')];
    const params = { id };
    await link(id, two);
    const { id: exclusion } = await analyst.ok('createAssetExclusion', {
      params,
      body: { assetId: one, reason: 'old' },
    });
    const preview = { name: 'x', condition: named('web-*') };
    expect(await analyst.ok('previewAssetRule', { params, body: preview })).toMatchObject({
      matchCount: 2,
      newlyLinked: 0,
      alreadyLinked: 1,
      excluded: 1,
      isComplete: true,
      sample: [],
    });
    const ruleId = await rule(id, named('web-*'));
    expect(await linked(id)).toEqual(['web-2 manual']);
    await analyst.ok('deleteAssetExclusion', { params: { id, exclusion_id: exclusion } });
    expect(await linked(id)).toEqual(['web-1 rule', 'web-2 manual']);
    const [mapping] = (await analyst.ok('listAssetMappings', { params })).filter(({ assetId }) => assetId === one);
    expect(mapping).toMatchObject({ ruleId, origin: 'rule', createdBy: null });
    const mine = { id, mapping_id: mapping?.id ?? '' };
    expect(await refused(analyst.call('deleteAssetMapping', { params: mine }))).toEqual([400, 'conflict', undefined]);
    expect((await analyst.ok('listAssetRules', { params })).data).toMatchObject([
      { id: ruleId, matchCount: 2, status: 'ready' },
    ]);
    await host('web-3');
    await until(
      () => linked(id),
      ({ length }) => length === 3,
    );
    const excluding = await analyst.ok('createAssetExclusion', {
      params,
      body: { condition: named('web-*'), reason: 'all' },
    });
    expect(excluding).toMatchObject({ kept: 1, removedLinks: null });
    await newest();
    expect(await linked(id)).toEqual(['web-2 manual']);
    expect((await analyst.ok('listAssetExclusions', { params })).data).toMatchObject([
      { id: excluding.id, reason: 'all' },
    ]);
    await analyst.ok('deleteAssetExclusion', { params: { id, exclusion_id: excluding.id } });
    await newest();
    expect(await linked(id)).toHaveLength(3);
    await analyst.ok('updateAssetRule', { params: { id, rule_id: ruleId }, body: { enabled: false } });
    await newest();
    expect(await linked(id)).toEqual(['web-2 manual']);
    await analyst.ok('updateAssetRule', {
      params: { id, rule_id: ruleId },
      body: { enabled: true, condition: named('db-*') },
    });
    await newest();
    expect(await linked(id)).toEqual(['db-1 rule', 'web-2 manual']);
    await analyst.ok('deleteAssetRule', { params: { id, rule_id: ruleId } });
    await newest();
    expect(await linked(id)).toEqual(['web-2 manual']);
    await expectExact(organization.table, exact);
  });

  test('leaves an asset out for good when it is unlinked and excluded', async () => {
    const { organization, analyst, refused, host, application, link, linked, rule } = await start();
    const [id, one] = [await application('Shop'), await host('web-1')];
    const [two, three] = [await host('db-1'), await host('x-1')];
    const params = { id };
    const mapping = await link(id, two);
    const ruleId = await rule(id, named('web-*'));
    expect(await analyst.ok('bulkUnlinkAssets', { params, body: { assetIds: [one, three] } })).toEqual({
      unlinked: 0,
      notFound: [three],
      ruleLinked: [{ assetId: one, ruleId }],
    });
    const unlink = { mappingIds: [mapping.id], alsoExclude: false };
    expect(await analyst.ok('bulkUnlinkAssets', { params, body: unlink })).toEqual({
      unlinked: 1,
      notFound: [],
      ruleLinked: [],
    });
    const excluding = { assetIds: [one], alsoExclude: true, reason: 'retired soon' };
    expect(await analyst.ok('bulkUnlinkAssets', { params, body: excluding })).toMatchObject({
      unlinked: 1,
      ruleLinked: [],
    });
    expect(await linked(id)).toEqual([]);
    const { data } = await analyst.ok('listAssetExclusions', { params });
    expect(data).toMatchObject([{ assetId: one, reason: 'retired soon', applicationId: id }]);
    expect(await refused(analyst.call('createAssetMapping', { params, body: { assetId: one } }))).toEqual([
      400,
      'conflict',
      undefined,
    ]);
    expect(
      await refused(analyst.call('createAssetExclusion', { params, body: { assetId: one, reason: 'x' } })),
    ).toEqual([...[400, 'conflict', undefined]]);
    for (const body of [{ reason: 'x' }, { reason: 'x', assetId: one, condition: named('*') }])
      expect(await refused(analyst.call('createAssetExclusion', { params, body }))).toEqual([
        400,
        'validation_failed',
        'assetId',
      ]);
    expect(await refused(analyst.call('bulkUnlinkAssets', { params, body: {} }))).toEqual([
      400,
      'validation_failed',
      'assetIds',
    ]);
    await expectExact(organization.table, exact);
  });

  test('goes with its application, and so does everything that belongs to it', async () => {
    const { organization, analyst, host, application, link, linked, rule, newest, refused } = await start();
    const [id, other] = [await application('Shop'), await application('Bank')];
    const [one, two] = [await host('web-1'), await host('db-1')];
    for (const owner of [id, other]) await rule(owner, named('web-*'));
    await link(id, two);
    const expiresAt = '2099-01-01T00:00:00.000Z';
    await analyst.ok('createAssetExclusion', {
      params: { id },
      body: { condition: named('x-*'), reason: 'x', expiresAt },
    });
    await analyst.ok('bulkUnlinkAssets', { params: { id }, body: { assetIds: [one], alsoExclude: true } });
    expect(await analyst.ok('getAsset', { params: { id: one } })).toMatchObject({ applicationIds: [other] });
    await analyst.ok('deleteApplication', { params: { id } });
    expect(await refused(analyst.call('listAssetMappings', { params: { id } }))).toEqual([400, 'not_found', undefined]);
    await newest();
    expect(await analyst.ok('getAsset', { params: { id: two } })).toMatchObject({ applicationIds: [] });
    expect(await linked(other)).toEqual(['web-1 rule']);
    const { table } = organization;
    const page = { paginateFrom: 0, paginateSize: 10 };
    expect((await table.list(applicationRules, page)).data).toMatchObject([{ applicationId: other }]);
    expect((await table.list(applicationExclusions, page)).totalCount).toBe(0);
    const [current] = await table.findMany(assets, [one]);
    expect(current).toMatchObject({ matches: [expect.any(String)] });
    expect([current?.exclusions, current?.excludedFrom]).toEqual([undefined, undefined]);
    await expectExact(table, exact);
  });
});
