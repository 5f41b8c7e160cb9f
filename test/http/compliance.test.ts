import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { complianceDays } from '#shared/exposure/compliance/summary.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { problems, sarif } from '../functions/workers/imports/reports.ts';
import { bare } from '../support/bare.ts';
import { imported, SHOP, statusesOf } from '../support/compliance.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { finished, until } from '../support/wait.ts';

const system = startSystem();

const leaks = (count: number) => sarif(problems(count), { tool: 'gitleaks' });
const NO_SECRETS = 'pci-dss-4.0.1:8.6.2';

test('a control never reads passed because nothing was looked at', async () => {
  const { admin } = await system.newOrganization();
  const all = await admin.ok('listFrameworks', {});
  expect(all.map(({ id }) => id)).toEqual([
    ...['1.5', '1.8', '1.10', '1.11', '1.12'].map((version) => `cis-kubernetes-${version}`),
    ...['cis-aws-3.0.0', 'pci-dss-4.0.1', 'iso-27001-2022', 'soc-2-2017'],
    ...['nist-csf-2.0', 'owasp-top-10-2021', 'asvs-5.0.0'],
  ]);
  for (const { controls, score, assets: types } of all) {
    expect({ score, types }).toEqual({ score: null, types: [] });
    expect(controls).toEqual({ total: controls.total, passed: 0, failed: 0, notAssessed: controls.total });
  }
  await admin.ok('createAsset', { body: { type: 'repository', value: SHOP.repository } });
  await imported(admin, sarif([], { tool: 'a-tool-nobody-knows' }));
  await imported(admin, sarif([], { tool: 'gitleaks', finished: false }));
  await imported(admin, sarif([], { tool: 'gitleaks' }), { ...SHOP, ref: 'feature', baseRef: 'main' });
  expect(await statusesOf(admin, [NO_SECRETS])).toEqual(['notAssessed']);
});

test('a control follows the findings of its weakness: looked at, found, accepted, repaired', async () => {
  const { admin, table } = await system.newOrganization();
  const taskId = await imported(admin, sarif([], { tool: 'gitleaks' }));
  const read = () => admin.ok('getControl', { params: { controlId: NO_SECRETS } });
  const today = new Date().toISOString().slice(0, 10);
  const [asset] = (await admin.ok('listAssets', {})).data;
  expect(await read()).toMatchObject({
    id: NO_SECRETS,
    control: '8.6.2',
    status: 'passed',
    exceptionsOnly: false,
    findings: [],
    findingsCount: 0,
    criteria: [
      {
        kind: 'weakness',
        name: 'secrets',
        openFindings: 0,
        acceptedFindings: 0,
        looked: [{ assetType: 'repository', assets: 1, by: [{ look: 'secrets', assets: 1 }] }],
      },
    ],
    looks: [{ asset: { id: asset?.id, type: 'repository' }, looks: [{ tool: 'gitleaks', day: today, taskId }] }],
  });
  await imported(admin, leaks(2));
  const found = await read();
  expect(found).toMatchObject({ status: 'failed', exceptionsOnly: false, findingsCount: 2 });
  expect((await admin.ok('listFindings', { query: { weakness: 'secrets' } })).totalCount).toBe(2);
  const [one, other] = found.findings.map(({ id }) => id);
  const move = (id: string | undefined, status: string) =>
    admin.ok('updateFinding', { params: { id: id ?? '' }, body: { status, statusReason: 'decided' } as never });
  await move(one, 'false_positive');
  await move(other, 'risk_accepted');
  expect(await read()).toMatchObject({
    status: 'failed',
    exceptionsOnly: true,
    findingsCount: 1,
    criteria: [{ openFindings: 0, acceptedFindings: 1 }],
  });
  expect(await admin.ok('getFramework', { params: { frameworkId: 'iso-27001-2022' } })).toMatchObject({
    exceptionsOnly: 3,
    controls: { failed: 3 },
  });
  await move(other, 'open');
  await imported(admin, leaks(0));
  expect(await read()).toMatchObject({ status: 'passed', findingsCount: 0 });
  await expectExact(table, [findings, assets]);
});

test('an asset that another one is merged into was looked at as both were, until they are parted', async () => {
  const { admin, table } = await system.newOrganization();
  await imported(admin, sarif([], { tool: 'gitleaks' }));
  const [scanned] = (await admin.ok('listAssets', {})).data;
  const body = { type: 'repository', value: 'https://git.example.com/shop/renamed' } as const;
  const { id: intoId } = await admin.ok('createAsset', { body });
  const looks = async (id: string) =>
    ((await admin.ok('getAsset', { params: { id } })).looks ?? []).map(({ tool }) => tool);
  const params = { id: scanned?.id ?? '' };
  const { taskId } = await admin.ok('mergeAssets', { params, body: { intoId } });
  await finished(admin, taskId);
  expect(await looks(intoId)).toEqual(['gitleaks']);
  expect(await statusesOf(admin, [NO_SECRETS])).toEqual(['passed']);
  const undone = await admin.ok('undoAssetMerge', { params: { taskId } });
  await finished(admin, undone.taskId);
  expect([await looks(intoId), await looks(params.id)]).toEqual([[], ['gitleaks']]);
  await expectExact(table, [assets]);
});

test('a group of assets is assessed separately: a zone, an application, a type', async () => {
  const { admin } = await system.newOrganization();
  await admin.ok('createZone', { body: { name: 'Plant' } as never });
  const old = { type: 'repository', value: 'https://git.example.com/shop/old', zone: 'Plant' } as const;
  const { id: infected } = await admin.ok('createAsset', { body: old });
  const weak = { title: 'A key in code', severity: 'high', description: 'in config.ts', cwes: ['CWE-798'] };
  await admin.ok('createFinding', { body: { ...weak, assetId: infected } as never });
  await imported(admin, sarif([], { tool: 'gitleaks' }), { ...SHOP, repository: 'https://git.example.com/shop/web' });
  const status = async (query: object) => (await statusesOf(admin, [NO_SECRETS], query))[0];
  expect(await status({})).toBe('failed');
  for (const zone of ['plant', 'Plant', 'PLANT']) {
    expect(await status({ zone })).toBe('failed');
    const evidence = await admin.ok('getControl', { params: { controlId: NO_SECRETS }, query: { zone } });
    expect(evidence).toMatchObject({ findingsCount: 1, findings: [{ asset: { id: infected, zone: 'Plant' } }] });
  }
  expect(await status({ zone: 'office' })).toBe('notAssessed');
  expect(await status({ assetType: 'repository' })).toBe('failed');
  expect(await status({ filter: 'zone:plant type:repository' })).toBe('failed');
  expect(await status({ filter: 'type:Host' })).toBe('notAssessed');
  const saved = { name: 'plant', entity: 'asset', filter: 'zone:plant' } as const;
  const { id: filterId } = await admin.ok('createSavedFilter', { body: saved });
  expect(await status({ filterId })).toBe('failed');
  for (const filter of ['tag:prod', '-zone:plant', 'type:host OR type:url', 'type:host,url', 'zone:plant zone:office'])
    expect(await admin.call('listFrameworks', { query: { filter } })).toMatchObject({
      body: { details: [{ path: 'filter', message: expect.stringMatching(/leave this out|name one zone/) }] },
    });
  expect(await status({ assetType: 'host' })).toBe('notAssessed');
  const { id } = await admin.ok('createApplication', { body: { name: 'Shop' } });
  expect(await status({ applicationId: id })).toBe('notAssessed');
  const { data } = await admin.ok('listAssets', {});
  const assetId = data.find(({ zone }) => zone === null)?.id ?? '';
  await admin.ok('createAssetMapping', { params: { id }, body: { assetId } });
  expect(await status({ applicationId: id })).toBe('passed');
  await admin.ok('createAssetMapping', { params: { id }, body: { assetId: infected } });
  await until(
    () => status({ applicationId: id }),
    (now) => now === 'failed',
  );
});

test('controls are listed by framework, status and group', async () => {
  const { admin } = await system.newOrganization();
  await imported(admin, leaks(1));
  const list = async (query: object) => {
    const { data, totalCount } = await admin.ok('listControls', { query: query as never });
    return { totalCount, controls: data.map(({ control }) => control) };
  };
  expect(await list({ framework: 'pci-dss-4.0.1', status: 'failed' })).toEqual({
    totalCount: 2,
    controls: ['3.6.1', '8.6.2'],
  });
  expect((await list({ framework: 'owasp-top-10-2021' })).controls).toHaveLength(10);
  expect(await list({ framework: 'owasp-top-10-2021', search: 'strong crypto' })).toEqual({
    totalCount: 1,
    controls: ['A02'],
  });
  expect(await list({ framework: 'owasp-top-10-2021', paginateFrom: 1, paginateSize: 2 })).toEqual({
    totalCount: 10,
    controls: ['A02', 'A03'],
  });
  expect((await list({ framework: 'owasp-top-10-2021,asvs-5.0.0', status: 'failed,passed' })).controls).toEqual([
    'A07',
    'V13.3',
  ]);
  expect((await list({ status: 'failed', assetType: 'host' })).totalCount).toBe(0);
});

test('an import that is undone is no look any more, and an asset that is deleted none either', async () => {
  const { admin } = await system.newOrganization();
  const taskId = await imported(admin, sarif([], { tool: 'gitleaks' }));
  await admin.ok('undoImport', { params: { taskId }, query: { waitSeconds: 20 } });
  expect(await statusesOf(admin, [NO_SECRETS])).toEqual(['notAssessed']);
  await imported(admin, sarif([], { tool: 'gitleaks' }));
  expect(await statusesOf(admin, [NO_SECRETS])).toEqual(['passed']);
  const [asset] = (await admin.ok('listAssets', {})).data;
  const deletion = await admin.ok('deleteAsset', { params: { id: asset?.id ?? '' } });
  await finished(admin, deletion.taskId);
  expect(await statusesOf(admin, [NO_SECRETS])).toEqual(['notAssessed']);
});

test('the dashboard counts what the frameworks say, and compares with 30 days ago', async () => {
  const { admin, table } = await system.newOrganization();
  await imported(admin, leaks(1));
  const date = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  const summary = await admin.ok('getComplianceSummary', {});
  const listed = await admin.ok('listFrameworks', {});
  expect(bare(summary.frameworks)).toEqual(
    listed.map(({ id, name, version, controls, score }) => ({ id, name, version, controls, score })),
  );
  const { totalCount } = await admin.ok('listControls', { query: { status: 'failed' } as never });
  expect(summary).toMatchObject({ failedControls: totalCount, change30d: null });
  const row = { date, failedControls: totalCount + 4, expiresAt: new Date(Date.now() + 86_400_000).toISOString() };
  await table.rows(complianceDays).put(row);
  expect((await admin.ok('getComplianceSummary', {})).change30d).toBe(-4);
});

test('the answer says what to send instead, and nobody sees the assets of others', async () => {
  const { admin, apiKey } = await system.newOrganization();
  const other = await system.newOrganization();
  const { id } = await other.admin.ok('createApplication', { body: { name: 'Theirs' } });
  await imported(other.admin, leaks(1));
  const refusal = async (call: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await call;
    return [status, Object(body).code, Object(body).details?.[0]?.path];
  };
  expect(await refusal(admin.call('listFrameworks', { query: { applicationId: id } }))).toEqual([
    400,
    'not_found',
    undefined,
  ]);
  expect(await refusal(admin.call('listControls', { query: { zone: 'a', applicationId: newId() } }))).toEqual([
    400,
    'validation_failed',
    'zone',
  ]);
  expect(await refusal(admin.call('listControls', { query: { framework: 'pci' } as never }))).toEqual([
    400,
    'validation_failed',
    'framework',
  ]);
  expect(await refusal(admin.call('listControls', { query: { status: 'broken' } as never }))).toEqual([
    400,
    'validation_failed',
    'status.0',
  ]);
  expect(await refusal(admin.call('getFramework', { params: { frameworkId: 'pci' } }))).toEqual([
    400,
    'not_found',
    undefined,
  ]);
  expect(await refusal(admin.call('getControl', { params: { controlId: 'pci-dss-4.0.1:99' } }))).toEqual([
    400,
    'not_found',
    undefined,
  ]);
  const key = await apiKey(['assets:read']);
  expect(await refusal(key.call('getComplianceSummary', {}))).toEqual([401, 'insufficient_scope', undefined]);
  expect((await admin.ok('getComplianceSummary', {})).failedControls).toBe(0);
});
