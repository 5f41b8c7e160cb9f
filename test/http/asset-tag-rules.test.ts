import { describe, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { AssetTagRule, assetTagRules } from '#shared/exposure/asset-rules/asset-tag-rule.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import type { Filter } from '#shared/platform/filter/filter.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Client } from '../support/client.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { finished, until } from '../support/wait.ts';

const system = startSystem();

const host = (value: string, tags: string[] = []) => ({ type: 'host' as const, value, tags });
const named = (value: string): Filter => ({ field: 'hostname', operator: 'matches', value });

async function start() {
  const organization = await system.newOrganization();
  const analyst = await organization.withRole('analyst');
  const make = (value: string, tags?: string[]) => analyst.ok('createAsset', { body: host(value, tags) });
  return { organization, analyst, make };
}

/** Creates a rule, and waits until its task has looked at all assets. */
async function create(analyst: Client, condition: Filter, tags: string[], name = 'a rule') {
  const rule = await analyst.ok('createAssetTagRule', { body: { name, condition, tags } });
  expect(rule).toMatchObject({ name, enabled: true, condition, tags });
  // the task may end before the answer is read
  expect(rule.status).toBe(rule.lastEvaluatedAt === null ? 'evaluating' : 'ready');
  return applied(analyst, rule);
}
async function applied(analyst: Client, { id, taskId }: { id: string; taskId: string }) {
  const task = await finished(analyst, taskId);
  expect(task).toMatchObject({ operation: 'apply_asset_rules', status: 'succeeded', resource: { id } });
  return { id, result: task.result };
}
const tagsBy = async (analyst: Client, id: string) => (await analyst.ok('getAsset', { params: { id } })).ruleTags;
const newestTask = async (analyst: Client) => {
  const { data } = await analyst.ok('listTasks', { query: { operation: 'apply_asset_rules', limit: 1 } });
  return finished(analyst, data[0]?.id ?? '');
};

describe('a rule that gives tags', () => {
  test('reaches existing assets, is found by them, and removes only its own tags when it is deleted', async () => {
    const { organization, analyst, make } = await start();
    const [pay, web] = [await make('pay-1', ['payments', 'hand']), await make('web-1')];
    const preview = { name: 'x', condition: named('pay-*'), tags: ['payments', 'pci'] };
    const previewed = await analyst.ok('previewAssetTagRule', { body: preview });
    const filter = new URL(previewed.links.list, system.baseUrl).searchParams.get('filter') ?? '';
    expect((await analyst.ok('listAssets', { query: { filter } })).data).toMatchObject([{ id: pay.id }]);
    expect(previewed).toMatchObject({
      matchCount: 1,
      newlyTagged: 1,
      alreadyTagged: 0,
      examined: 1,
      isComplete: true,
      sample: [{ id: pay.id, name: 'pay-1', type: 'host' }],
    });
    const { id, result } = await create(analyst, named('PAY-*'), ['payments', 'pci']);
    expect(result).toEqual({ looked: 1, changed: expect.any(Number) });
    const params = { id: pay.id };
    const tagged = await analyst.ok('getAsset', { params });
    expect(tagged).toMatchObject({ tags: ['payments', 'hand'], ruleTags: ['payments', 'pci'] });
    expect(await tagsBy(analyst, web.id)).toEqual([]);
    expect(await analyst.ok('getAssetTagRule', { params: { id } })).toMatchObject({
      matchCount: 1,
      status: 'ready',
      version: 1,
      lastEvaluatedAt: expect.any(String),
    });
    expect((await analyst.ok('listAssetTagRules')).data).toMatchObject([{ id, matchCount: 1, status: 'ready' }]);
    expect((await analyst.ok('listAssets', { query: { tag: 'pci' } })).data).toMatchObject([{ id: pay.id }]);
    expect(await analyst.ok('previewAssetTagRule', { body: preview })).toMatchObject({ alreadyTagged: 1, sample: [] });
    // what a reader of the asset sends back changes nothing
    expect((await analyst.ok('updateAsset', { params, body: { ...tagged } as never })).version).toBe(tagged.version);
    await analyst.ok('deleteAssetTagRule', { params: { id } });
    await newestTask(analyst);
    expect(await analyst.ok('getAsset', { params })).toMatchObject({ tags: ['payments', 'hand'], ruleTags: [] });
    expect((await analyst.ok('listAssets', { query: { tag: 'payments' } })).totalCount).toBe(1);
    await expectExact(organization.table, [assets, assetTagRules]);
  });

  test('follows what it says and whether it is enabled', async () => {
    const { analyst, make } = await start();
    const [one, two] = [await make('a-1'), await make('b-1')];
    const { id } = await create(analyst, named('a-*'), ['x']);
    const change = async (body: object) =>
      applied(analyst, await analyst.ok('updateAssetTagRule', { params: { id }, body: body as never }));
    await change({ condition: { any: [named('b-*'), { field: 'tag', operator: 'exists' }] }, tags: ['y', 'z'] });
    expect([await tagsBy(analyst, one.id), await tagsBy(analyst, two.id)]).toEqual([[], ['y', 'z']]);
    await change({ enabled: false });
    expect(await tagsBy(analyst, two.id)).toEqual([]);
    expect(await analyst.ok('getAssetTagRule', { params: { id } })).toMatchObject({ matchCount: 0, version: 3 });
    await change({ enabled: true });
    expect(await tagsBy(analyst, two.id)).toEqual(['y', 'z']);
  });

  test('follows assets that appear, change and retire, and never the tags of other rules', async () => {
    const { organization, analyst, make } = await start();
    await create(analyst, named('web-*'), ['front']);
    await create(analyst, { field: 'tag', operator: 'equals', value: 'front' }, ['second']);
    const { id } = await make('web-1');
    expect(
      await until(
        () => tagsBy(analyst, id),
        ({ length }) => length > 0,
      ),
    ).toEqual(['front']);
    await analyst.ok('updateAsset', { params: { id }, body: { tags: ['front'] } });
    expect(
      await until(
        () => tagsBy(analyst, id),
        ({ length }) => length > 1,
      ),
    ).toEqual(['front', 'second']);
    const { taskId } = await analyst.ok('retireAsset', { params: { id } });
    await finished(analyst, taskId);
    await until(
      () => tagsBy(analyst, id),
      ({ length }) => length === 0,
    );
    await expectExact(organization.table, [assets]);
  });

  test('moves the due dates of findings as tags of people do', async () => {
    const { organization, analyst, make } = await start();
    const exceptions = [{ name: 'pci', tags: ['pci'], criticalities: [], days: { high: 3 } }];
    await organization.admin.ok('updateSlaPolicies', { body: { exceptions } });
    const { id } = await make('pay-1');
    const at = now();
    const asset = { id, type: 'host' as const, name: 'pay-1', zone: null };
    const finding = await organization.table.create(findings, findingDraft(at, { asset, severity: 'high' }));
    const rule = await create(analyst, named('pay-*'), ['pci']);
    const due = async () => {
      const { dueAt } = await analyst.ok('getFinding', { params: { id: finding.id } });
      return Math.round((Date.parse(dueAt ?? '') - Date.parse(at)) / 86_400_000);
    };
    expect(await until(due, (days) => days !== 30)).toBe(3);
    await analyst.ok('deleteAssetTagRule', { params: { id: rule.id } });
    expect(await until(due, (days) => days !== 3)).toBe(30);
    await expectExact(organization.table, [findings]);
  });

  test('that cannot be says why, and nothing is kept of it', async () => {
    const { organization, analyst } = await start();
    const refused = async (body: object) => {
      const answer = await analyst.call('createAssetTagRule', { body: { name: 'x', tags: ['x'], ...body } as never });
      return [answer.status, Object(answer.body).details?.[0]?.path];
    };
    expect(await refused({})).toEqual([400, 'condition']);
    expect(await refused({ condition: {} })).toEqual([400, 'condition']);
    expect(await refused({ condition: { all: [{ field: 'tag', operator: 'cidr', value: 'x' }] } })).toEqual([
      400,
      'condition.all.0.operator',
    ]);
    expect(await refused({ condition: named('a*'), tags: [] })).toEqual([400, 'tags']);
    const { id } = await create(analyst, named('a*'), ['x']);
    const params = { id };
    const unknown = { condition: { colour: 'red' } };
    expect(await analyst.call('updateAssetTagRule', { params, body: unknown as never })).toMatchObject({ status: 400 });
    expect(await analyst.call('updateAssetTagRule', { params, body: { condition: null } as never })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'condition' }] },
    });
    const outdated = { version: 7, name: 'y' };
    expect(await analyst.call('updateAssetTagRule', { params, body: outdated })).toMatchObject({
      body: { code: 'conflict' },
    });
    const reader = await organization.apiKey(['assets:read']);
    expect(await reader.call('deleteAssetTagRule', { params })).toMatchObject({ status: 401 });
    expect((await reader.ok('listAssetTagRules')).data).toMatchObject([{ id, name: 'a rule', version: 1 }]);
  });

  test('keeps the larger condition of an earlier release in a change that leaves it out, and says so in one that sends it', async () => {
    const { organization, analyst } = await start();
    const { id } = await create(analyst, named('a*'), ['x']);
    const all = (from: number) => Array.from({ length: 100 }, (_, n) => `tag-${from + n}`);
    const condition: Filter = {
      any: [0, 100, 200].map((from) => ({ field: 'tag', operator: 'in', value: all(from) })),
    };
    await organization.table.modify(assetTagRules, id, () => ({ condition }));
    const stored = () => organization.table.get(assetTagRules, id, true);
    expect(await analyst.call('updateAssetTagRule', { params: { id }, body: { condition, name: 'y' } })).toMatchObject({
      status: 400,
      body: {
        code: 'validation_failed',
        details: [{ path: 'condition.any.2.value', message: expect.stringMatching(/leave out the whole condition$/) }],
      },
    });
    expect(await stored()).toMatchObject({ name: 'a rule', condition });
    expect(mergePatch(AssetTagRule, await stored(), { patch: { name: 'y' } })).toEqual({ name: 'y' });
  });
});
