import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Asset, assets, CRITICALITIES } from '#shared/assets/asset/asset.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Draft } from '#shared/platform/table/table.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { analyst, organization, system, withAnalyst } from '../support/analyst.ts';
import { findingDraft } from '../support/findings.ts';
import type { TestOrganization } from '../support/system.ts';
import { runs } from '../support/tier.ts';
import { expectExact } from '../support/verify.ts';
import { finished, until } from '../support/wait.ts';

withAnalyst();

const daysAgo = (days: number) => inSeconds(-days * 86_400);

const assetDraft = (value: string, fields: Partial<Draft<Asset>>): Draft<Asset> => ({
  type: 'host',
  value,
  name: value,
  zone: null,
  criticality: 'medium',
  internetExposed: null,
  tags: [],
  firstSeenAt: daysAgo(0),
  ...fields,
});

/** An asset as an import makes it. */
const make = (value: string, fields: Partial<Draft<Asset>> = {}) =>
  organization.table.create(assets, assetDraft(value, fields));
const find = ({ id, type, name, zone }: Pick<Asset, 'id' | 'type' | 'name' | 'zone'>, fields: object = {}) =>
  organization.table.create(findings, findingDraft(daysAgo(1), { asset: { id, type, name, zone }, ...fields }));

describe('a person keeps the list of assets', () => {
  test('an asset is created under the name that reports use, read, changed and found', async () => {
    const created = await analyst.ok('createAsset', {
      body: { type: 'repository', value: 'git@git.example.com:acme/shop.git', tags: ['web'] },
    });
    expect(created).toMatchObject({
      type: 'repository',
      value: 'https://git.example.com/acme/shop',
      name: 'https://git.example.com/acme/shop',
      zone: null,
      criticality: 'medium',
      internetExposed: null,
      ownerId: null,
      cloud: null,
      sources: ['manual'],
      status: 'active',
      riskScore: 0,
      openFindings: { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
    });
    const params = { id: created.id };
    const changed = await analyst.ok('updateAsset', {
      params,
      body: {
        ...created,
        internetExposed: true,
        identifiers: { fqdns: ['git.example.com'] },
        cloud: { provider: 'aws' },
      },
    });
    expect(changed).toMatchObject({
      version: 2,
      internetExposed: true,
      identifiers: { fqdns: ['git.example.com'], ips: [], serialNumber: null },
      cloud: { provider: 'aws', accountId: null, tags: {} },
    });
    expect(await analyst.ok('getAsset', { params })).toEqual(changed);
    expect((await analyst.ok('updateAsset', { params, body: {} })).version).toBe(2);
    expect(await analyst.call('updateAsset', { params, body: { status: 'retired' } as never })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'status', message: expect.stringContaining('/retire') }] },
    });
    for (const query of [{ search: 'shop' }, { search: 'acme', tag: 'web', type: 'repository' }])
      expect((await analyst.ok('searchAssets', { query: query as never })).data.map(({ id }) => id)).toEqual([
        params.id,
      ]);
    await expectExact(organization.table, [assets]);
  });

  test('a second asset of the same name, however it is spelled, is refused and named', async () => {
    const value = `host-${newId()}.example.com`;
    const { id } = await analyst.ok('createAsset', { body: { type: 'host', value } });
    const again = await analyst.call('createAsset', { body: { type: 'host', value: value.toUpperCase() } });
    expect(again).toMatchObject({ status: 400, body: { code: 'conflict', message: expect.stringContaining(id) } });
    const elsewhere = await analyst.ok('createAsset', { body: { type: 'host', value, zone: 'plant-1' } });
    expect(elsewhere.zone).toBe('plant-1');
  });

  test('what reports decide cannot be changed by hand, nor an owner named whom nobody knows', async () => {
    const { id } = await make('fixed-1');
    const answers = await Promise.all(
      [
        { value: 'other' },
        { lastSeenAt: daysAgo(3) },
        { ownerId: newId() },
        { criticality: 'huge' },
        { name: null },
      ].map((body) => analyst.call('updateAsset', { params: { id }, body: body as never })),
    );
    expect(
      answers.map(({ status, body }) => [status, 'details' in body ? body.details?.[0]?.path : undefined]),
    ).toEqual([
      [400, 'value'],
      [400, 'lastSeenAt'],
      [400, 'ownerId'],
      [400, 'criticality'],
      [400, 'name'],
    ]);
    expect(await analyst.ok('getAsset', { params: { id } })).toMatchObject({ version: 1 });
  });

  test('reading needs the scope for assets, and writing an analyst', async () => {
    const { id } = await make('scoped-1');
    const key = await organization.apiKey(['assets:read']);
    expect((await key.ok('getAsset', { params: { id } })).id).toBe(id);
    const viewer = await organization.withRole('viewer');
    for (const client of [key, viewer])
      expect(await client.call('updateAsset', { params: { id }, body: { tags: ['x'] } })).toMatchObject({
        status: 401,
        body: { code: 'insufficient_scope' },
      });
    const other = await system.newOrganization();
    expect(await other.admin.call('getAsset', { params: { id } })).toMatchObject({ body: { code: 'not_found' } });
  });
});

describe('a list of assets', () => {
  let own: TestOrganization;
  beforeAll(async () => {
    own = await system.newOrganization();
    const add = (value: string, fields: Partial<Draft<Asset>>) =>
      own.table.create(assets, assetDraft(value, { firstSeenAt: daysAgo(200), lastSeenAt: daysAgo(0), ...fields }));
    await add('a', { type: 'cloud_resource', criticality: 'critical', internetExposed: true });
    await add('b', { zone: 'plant', tags: ['pci', 'web'], lastSeenAt: daysAgo(31) });
    await add('c', { type: 'edr_device', ownerId: 'somebody', internetExposed: false, lastSeenAt: daysAgo(29) });
    await add('d', { type: 'url', criticality: 'low', tags: ['web'], lastSeenAt: undefined });
  });

  test.each<[object, string]>([
    [{}, 'dcba'],
    [{ type: 'cloud_resource' }, 'a'],
    [{ type: 'edr_device,url' }, 'dc'],
    [{ criticality: 'critical,low' }, 'da'],
    [{ zone: 'plant' }, 'b'],
    [{ internetExposed: 'true' }, 'a'],
    [{ internetExposed: 'unknown' }, 'db'],
    [{ ownerId: 'none' }, 'dba'],
    [{ ownerId: 'somebody' }, 'c'],
    [{ tag: 'web', ownerId: 'none' }, 'db'],
    [{ status: 'stale' }, 'db'],
    [{ status: 'active' }, 'ca'],
    [{ status: 'retired' }, ''],
    [{ seenBefore: daysAgo(30).slice(0, 10) }, 'db'],
    [{ seenBefore: daysAgo(28).slice(0, 10), status: 'active' }, 'c'],
    [{ sort: 'lastSeenAt' }, 'dbca'],
    [{ sort: 'lastSeenAt', tag: 'web' }, 'db'],
    [{ sort: 'lastSeenAt', paginateFrom: 1, paginateSize: 2 }, 'bc'],
  ])('%j', async (query, names) => {
    const { data } = await own.admin.ok('listAssets', { query: query as never });
    expect(data.map(({ name }) => name).join('')).toBe(names);
  });

  test('filters that exclude each other are refused with what to send', async () => {
    const query = { status: 'active' as const, seenBefore: '2020-01-01' };
    const { body } = await own.admin.call('listAssets', { query });
    expect(body).toMatchObject({ code: 'validation_failed', details: [{ path: 'seenBefore' }] });
  });
});

const RATED = {
  criticality: fc.constantFrom(...CRITICALITIES),
  internetExposed: fc.constantFrom(true, false, null),
  zone: fc.constantFrom('plant', null),
  severities: fc.array(fc.constantFrom(...Severity.options), { maxLength: 3 }),
};

test('assets come by their risk, whatever narrows the list, and in pages', async () => {
  const own = await system.newOrganization();
  const client = await own.withRole('analyst');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record(RATED), { minLength: 1, maxLength: 12 }), async (some) => {
      for (const { severities, ...fields } of some) {
        const asset = await own.table.create(assets, assetDraft(`host-${newId()}`, fields));
        for (const severity of severities)
          await own.table.create(findings, findingDraft(daysAgo(1), { asset, severity }));
      }
      const all = { paginateSize: 500 };
      const newest = await client.ok('listAssets', { query: all });
      const byRisk = newest.data.toSorted((a, b) => b.riskScore - a.riskScore).map(({ id }) => id);
      const asked = async (query: object) =>
        (await client.ok('listAssets', { query: { sort: 'riskScore', ...query } })).data.map(({ id }) => id);
      expect(await asked(all)).toEqual(byRisk);
      expect(await asked({ paginateFrom: 3, paginateSize: 4 })).toEqual(byRisk.slice(3, 7));
      const some7 = byRisk.filter((_, n) => n % 7 === 0).slice(0, 100);
      expect(await asked({ ids: some7.join() })).toEqual(some7);
      const zoned = new Set(newest.data.flatMap(({ zone, id }) => (zone === 'plant' ? id : [])));
      expect(await asked({ ...all, zone: 'plant' })).toEqual(byRisk.filter((id) => zoned.has(id)));
    }),
    { numRuns: runs(4, 20) },
  );
});

test('an asset shows what is open on it, and a risk that grows with severity, criticality and exposure', async () => {
  const asset = await make('risky-1');
  const params = { id: asset.id };
  const read = () => analyst.ok('getAsset', { params });
  const critical = await find(asset, { severity: 'critical' });
  await find(asset, { severity: 'high' });
  await find(asset, { severity: 'high', status: 'false_positive' });
  expect(await read()).toMatchObject({
    openFindings: { critical: 1, high: 1, medium: 0, low: 0, info: 0 },
    riskScore: 58,
  });
  const scores = [58];
  for (const body of [{ criticality: 'critical' as const }, { internetExposed: true }]) {
    await analyst.ok('updateAsset', { params, body });
    scores.push((await read()).riskScore);
  }
  expect(scores).toEqual([58, 82, 93]);
  await analyst.ok('updateFinding', { params: { id: critical.id }, body: { status: 'fixed' } });
  expect((await read()).openFindings).toMatchObject({ critical: 0, high: 1 });
  await expectExact(organization.table, [findings]);
});

test('new tags and a new criticality date the findings of the asset, and rules for tags hold for it', async () => {
  const own = await system.newOrganization();
  const policies = await own.admin.ok('updateSlaPolicies', {
    body: { exceptions: [{ name: 'crown jewels', criticalities: ['critical'], days: { high: 2 } }] },
  });
  await finished(own.admin, policies.taskId ?? '');
  const rule = await own.admin.ok('createFindingRule', {
    body: { name: 'lab', conditions: { assetTag: 'lab' }, status: 'out_of_scope', reason: 'a lab' } as never,
  });
  await finished(own.admin, rule.taskId);
  const { id, type, name, zone } = await own.admin.ok('createAsset', { body: { type: 'host', value: 'crown-1' } });
  const made = await own.table.create(
    findings,
    findingDraft('2026-01-05T08:00:00.000Z', { asset: { id, type, name, zone } }),
  );
  const finding = () => own.admin.ok('getFinding', { params: { id: made.id } });
  const change = (body: object) => own.admin.ok('updateAsset', { params: { id }, body: body as never });
  await change({ criticality: 'critical' });
  await until(finding, ({ dueAt }) => dueAt === '2026-01-07T08:00:00.000Z');
  await change({ tags: ['lab'] });
  await until(finding, ({ status }) => status === 'out_of_scope');
  await change({ tags: [], criticality: 'low' });
  await until(finding, ({ status, dueAt }) => status === 'open' && dueAt === '2026-02-04T08:00:00.000Z');
  const tasks = async () => (await own.admin.ok('listTasks', { query: { operation: 'apply_asset_change' } })).data;
  expect(await tasks()).toMatchObject([{ createdBy: { kind: 'system' } }, {}, {}]);
  await change({ name: 'Crown' });
  expect(await tasks()).toHaveLength(3);
  await expectExact(own.table, [findings, assets]);
});

test('a viewer exports the assets that fit a filter, with what is open on them', async () => {
  const own = await system.newOrganization();
  const viewer = await own.withRole('viewer');
  for (const [value, tags] of [
    ['one', ['web']],
    ['=two', ['web', 'pci']],
    ['three', []],
  ] as const)
    await own.admin.ok('createAsset', { body: { type: 'edr_device', value, tags: [...tags] } });
  const exported = async (body: object) => {
    const { taskId } = await viewer.ok('exportAssets', { body: body as never });
    await finished(viewer, taskId);
    const { file } = await viewer.ok('getAssetsExport', { params: { taskId } });
    return { taskId, file, text: await (await fetch(file?.url ?? '')).text() };
  };
  const csv = await exported({ filter: { tag: 'web' }, columns: ['name', 'tags', 'openFindings.high', 'riskScore'] });
  expect(csv.text).toBe('name,tags,openFindings.high,riskScore\r\n"\'=two","web; pci",0,0\r\n"one","web",0,0\r\n');
  const atOnce = { body: { filter: { tag: 'web' }, columns: ['name' as const] }, query: { waitSeconds: 20 } };
  expect((await viewer.ok('exportAssets', atOnce)).file).toMatchObject({
    assets: 2,
    url: expect.stringMatching(/^http/),
  });
  expect(csv.file).toMatchObject({
    assets: 2,
    mediaType: 'text/csv; charset=utf-8',
    name: expect.stringMatching(/^assets-.*\.csv$/),
  });
  const lines = (await exported({ format: 'jsonl', filter: { search: 'three' } })).text.trim().split('\n');
  const { data } = await viewer.ok('searchAssets', { query: { search: 'three' } });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(data);
  expect(await viewer.call('getFindingsExport', { params: { taskId: csv.taskId } })).toMatchObject({ status: 400 });
  const refused = await viewer.send('POST', '/api/v1/assets/export', { body: { format: 'sarif' } });
  expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'format' }] } });
});

test('an asset that is more exposed or more critical lifts its findings in the order of work, and back', async () => {
  const asset = await make('lifted-1');
  const { id } = await find(asset, { severity: 'high' });
  const change = (body: object) => analyst.ok('updateAsset', { params: { id: asset.id }, body: body as never });
  const toBe = (priority: number) =>
    until(
      () => analyst.ok('getFinding', { params: { id } }),
      (finding) => finding.priority === priority,
    );
  await change({ internetExposed: true });
  await toBe(36 + 8 + 3);
  await change({ criticality: 'critical' });
  const { priorityFactors } = await toBe(36 + 8 + 7);
  expect(priorityFactors.find(({ name }) => name === 'exposure')).toMatchObject({ value: 'internet', points: 8 });
  await change({ internetExposed: false, criticality: 'low' });
  await toBe(36);
});
