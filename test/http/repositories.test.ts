import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { analyst, organization, system, withAnalyst } from '../support/analyst.ts';
import { findingDraft } from '../support/findings.ts';
import { makeBranch, makeRepository } from '../support/repositories.ts';
import { expectExact } from '../support/verify.ts';

withAnalyst();

test('a repository shows what its asset says, and changes it', async () => {
  const { table } = organization;
  const repository = await makeRepository(table, 'codehost_a', { topics: ['payments'] });
  const asset = await table.get(assets, repository.assetId);
  const { id, type, name, zone } = asset;
  await table.create(findings, findingDraft(now(), { asset: { id, type, name, zone }, severity: 'high' }));
  await makeBranch(table, repository);
  await makeBranch(table, repository, { name: 'old', status: 'deleted' });
  const params = { id: repository.id };
  const shown = await analyst.ok('getCodehostARepo', { params });
  expect(shown).toMatchObject({
    vendor: 'codehost_a',
    criticality: 'medium',
    ownerId: null,
    tags: [],
    branches: 1,
    lastScanAt: null,
    openFindings: { critical: 0, high: 1, medium: 0, low: 0, info: 0 },
    scanPolicy: { onPush: 'none', onPullRequest: false, failOn: 'none' },
  });
  expect(Object.keys(shown)).not.toContain('factsAt');
  const body = { criticality: 'critical', tags: ['shop'], scanPolicy: { onPush: 'default_branch' } } as const;
  const changed = await analyst.ok('updateCodehostARepo', { params, body: body as never });
  expect(changed).toMatchObject({
    criticality: 'critical',
    tags: ['shop'],
    scanPolicy: { onPush: 'default_branch', failOn: 'none' },
  });
  expect(await table.get(assets, asset.id, true)).toMatchObject({ criticality: 'critical', tags: ['shop'] });
  // what a caller read may be sent back
  expect(await analyst.ok('updateCodehostARepo', { params, body: changed as never })).toEqual(changed);
  const refused = await analyst.call('updateCodehostARepo', { params, body: { fullName: 'x/y' } as never });
  expect(refused).toMatchObject({ status: 400, body: { code: 'read_only', details: [{ path: 'fullName' }] } });
  expect(await analyst.call('getCodehostBRepo', { params })).toMatchObject({ body: { code: 'not_found' } });
  await expectExact(table, [assets]);
});

test('lists have the repositories of one host or of both, archived ones or not, and never deleted ones', async () => {
  const own = await system.newOrganization();
  const key = await own.apiKey(['assets:read']);
  const till = await makeRepository(own.table, 'codehost_a', { name: 'till', fullName: 'shop/till' });
  const old = await makeRepository(own.table, 'codehost_b', {
    name: 'old-till',
    fullName: 'shop/old-till',
    archived: true,
    status: 'archived',
  });
  await makeRepository(own.table, 'codehost_a', { name: 'gone-till', status: 'deleted' });
  const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
  expect(ids(await key.ok('listRepositories', {}))).toEqual([old.id, till.id]);
  expect(ids(await key.ok('listRepositories', { query: { archived: 'true' } }))).toEqual([old.id]);
  expect(ids(await key.ok('listRepositories', { query: { archived: 'false', search: 'till' } }))).toEqual([till.id]);
  expect(ids(await key.ok('listCodehostARepos', {}))).toEqual([till.id]);
  expect(ids(await key.ok('listCodehostBRepos', {}))).toEqual([old.id]);
  expect(ids(await key.ok('searchRepos', { query: { provider: 'codehost_b', search: 'till' } }))).toEqual([old.id]);
  const without = await key.call('searchRepos', { query: { search: 'till' } as never });
  expect(without).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path: 'provider' }] } });
});

test('a branch shows its last scan and its own findings, and says how it is scanned', async () => {
  const own = await system.newOrganization();
  const repository = await makeRepository(own.table, 'codehost_b');
  const main = await makeBranch(own.table, repository);
  const feature = await makeBranch(own.table, repository, { name: 'feature' });
  await makeBranch(own.table, repository, { name: 'gone', status: 'deleted' });
  const scan = async (ref: string, rules: string[]) => {
    const results = rules.map((ruleId) => ({
      ruleId,
      level: 'error',
      message: { text: ruleId },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'a.ts' }, region: { startLine: 1 } } }],
    }));
    const content = JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'Linter' } }, results }] });
    const { task } = await own.admin.ok('importFindings', {
      query: { waitSeconds: 20 },
      body: { format: 'sarif', content, repository: repository.url, ref, commit: 'c1' },
    });
    expect(task?.status).toBe('succeeded');
  };
  await scan('main', ['a']);
  await scan('feature', ['a', 'b', 'c']);
  const { data } = await own.admin.ok('listCodehostBBranches', { params: { repo_id: repository.id }, query: {} });
  expect(data).toMatchObject([
    { name: 'feature', isDefault: false, openFindings: null, lastScan: { commit: 'c1' } },
    { name: 'main', isDefault: true, openFindings: { high: 1 }, lastScan: { commit: 'c1' } },
  ]);
  const params = { id: feature.id };
  expect(await own.admin.ok('getCodehostBBranch', { params })).toMatchObject({ openFindings: { high: 2, low: 0 } });
  const changed = await own.admin.ok('updateCodehostBBranch', {
    params,
    body: { scanOnPush: true, tags: ['x'] } as never,
  });
  expect(changed).toMatchObject({ version: 2, scanOnPush: true, protectedHere: null, tags: ['x'] });
  expect(await own.admin.ok('updateCodehostBBranch', { params, body: { scanOnPush: null } as never })).toMatchObject({
    scanOnPush: null,
  });
  expect(await own.admin.call('getCodehostABranch', { params: { id: main.id } })).toMatchObject({
    body: { code: 'not_found' },
  });
});

test('a repository is linked to an application, and from it', async () => {
  const own = await system.newOrganization();
  const { admin, table } = own;
  const repository = await makeRepository(table, 'codehost_a');
  const params = { id: repository.id };
  const set = (applicationId: string | null) =>
    admin.ok('updateCodehostARepo', { params, body: { applicationId } as never });
  const [shop, till] = await Promise.all(
    ['Shop', 'Till'].map((name) => admin.ok('createApplication', { body: { name } as never })),
  );
  expect(await admin.ok('getCodehostARepo', { params })).toMatchObject({ applicationId: null });
  expect(await set(shop?.id ?? '')).toMatchObject({ applicationId: shop?.id });
  expect(await set(till?.id ?? '')).toMatchObject({ applicationId: till?.id });
  const mapped = (id = '') => admin.ok('listAssetMappings', { params: { id }, query: {} });
  expect(await mapped(till?.id)).toMatchObject([{ assetId: repository.assetId, origin: 'manual' }]);
  expect(await mapped(shop?.id)).toEqual([]);
  expect(await set(null)).toMatchObject({ applicationId: null });
  expect(await mapped(till?.id)).toEqual([]);
  const refused = await admin.call('updateCodehostARepo', { params, body: { applicationId: repository.id } as never });
  expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'applicationId' }] } });
  await expectExact(table, [assets]);
});
