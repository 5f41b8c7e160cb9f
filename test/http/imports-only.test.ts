import { describe, expect, test } from 'vitest';
import { repository, soon, toolReport } from '../support/shop.ts';
import { startSystem } from '../support/system.ts';

/** A key that may only import reports what a scan found, and decides on nothing. */
const system = startSystem();
const other = 'https://git.example.com/acme/other';

async function startShop(boundTo?: { repositories: string[]; refs?: string[] }) {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const body = { name: 'ci', scopes: ['imports:write' as const], ...(boundTo && { boundTo }) };
  const { secret } = await admin.ok('createApiKey', { body });
  const ci = system.client(() => secret);
  const statuses = async () =>
    (await admin.ok('listFindings', {})).data.map(({ ruleId, status }) => `${ruleId} ${status}`).sort();
  const send = (body: object) =>
    ci.call('importFindings', { query: soon, body: { repository, ref: 'main', content: toolReport(['a']), ...body } });
  return { ...organization, ci, send, statuses };
}

const refused = { status: 401, body: { code: 'insufficient_scope' } };

test('a key that may only import reports, asks the gate and ends a branch, and reads and triages nothing', async () => {
  const { ci, send, admin } = await startShop();
  const { body } = await send({});
  expect(body).toMatchObject({ status: 'succeeded', task: { result: { created: 1 } } });
  const { taskId } = body as { taskId: string };
  expect(await ci.ok('judgeImport', { params: { taskId }, query: { failOn: 'high' } })).toMatchObject({
    passed: false,
  });
  await send({ ref: 'feature' });
  expect(await ci.call('endNamedBranch', { query: { repository, ref: 'feature' } })).toMatchObject({ status: 200 });
  const [finding] = (await admin.ok('listFindings', {})).data;
  const params = { id: finding?.id ?? '' };
  expect([
    await ci.call('listFindings', {}),
    await ci.call('getFinding', { params }),
    await ci.call('updateFinding', { params, body: { status: 'false_positive', statusReason: 'no' } }),
    await ci.call('updateFinding', { params, body: { status: 'risk_accepted', statusReason: 'no' } }),
    await ci.call('confirmHeldClosing', { params: { taskId } }),
    await ci.call('undoImport', { params: { taskId } }),
    await ci.call('listImports', {}),
    await ci.call('listBranches', {}),
  ]).toMatchObject(Array.from({ length: 8 }, () => refused));
});

const suppressed = (status?: string) => {
  const report = JSON.parse(toolReport(['a']));
  report.runs[0].results[0].suppressions = [{ kind: 'inSource', ...(status && { status }) }];
  return JSON.stringify(report);
};
const generic = (more: object) =>
  JSON.stringify({ findings: [{ id: 'a', title: 'a', severity: 'high', ruleId: 'a', path: 'src/a.ts', ...more }] });
const gosec = JSON.stringify({
  Issues: [{ rule_id: 'a', file: 'src/a.go', line: '3', severity: 'HIGH', details: 'a', nosec: true }],
  Stats: {},
  GosecVersion: '2',
});

test.each([
  ['a suppression of SARIF', 'sarif', suppressed()],
  ['an accepted suppression of SARIF', 'sarif', suppressed('accepted')],
  ['a status of the generic report', 'generic', generic({ status: 'fixed' })],
  ['a false positive of the generic report', 'generic', generic({ false_p: true })],
  ['a comment for gosec', 'gosec', gosec],
])(
  '%s settles a finding for a key that writes findings, and nothing for one that only imports',
  async (_, format, content) => {
    const { send, admin, statuses } = await startShop();
    const writes = await admin.ok('importFindings', {
      query: soon,
      body: { format, content, repository: other, ref: 'main' },
    });
    expect(writes.task?.result).toMatchObject({ created: 0 });
    await send({ format, content });
    expect(await statuses()).toEqual(['a open']);
  },
);

test('a document that decides on findings is refused as a whole', async () => {
  const { send, statuses } = await startShop();
  const content = JSON.stringify({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'https://example.com/vex',
    author: 'ci',
    timestamp: '2026-01-01T00:00:00Z',
    version: 1,
    statements: [
      { vulnerability: { name: 'CVE-2026-1' }, products: [{ '@id': 'pkg:npm/a@1' }], status: 'not_affected' },
    ],
  });
  expect((await send({ content, format: 'openvex' })).body).toMatchObject({
    status: 'failed',
    task: { error: { code: 'insufficient_scope', message: expect.stringContaining('findings:write') } },
  });
  expect(await statuses()).toEqual([]);
});

describe('a bound key', () => {
  test('reports on its repositories and branches only, also with an empty report', async () => {
    const { send, admin, statuses, ci } = await startShop({ repositories: [`${repository}.git`], refs: ['pull/*'] });
    await admin.ok('importFindings', { query: soon, body: { content: toolReport(['a']), repository, ref: 'main' } });
    const empty = { content: toolReport([]) };
    const answers = [
      await send(empty),
      await send({ ...empty, ref: 'refs/heads/main' }),
      await send({ ...empty, ref: undefined }),
      await send({ ...empty, ref: 'pull/7', repository: other }),
      await send({ ...empty, ref: 'pull/7', target: { type: 'container_image', value: 'shop' } }),
      await send({ ...empty, ref: 'pull/7', target: { type: 'repository', value: repository, zone: 'a' } }),
    ];
    expect(answers).toMatchObject(answers.map(() => refused));
    expect((await send({ ref: 'refs/pull/7/merge', repository: undefined })).body).toMatchObject({
      status: 'succeeded',
    });
    expect(await statuses()).toEqual(['a open']);
    expect(await ci.call('endNamedBranch', { query: { repository, ref: 'main' } })).toMatchObject({
      body: { code: 'not_found' },
    });
  });

  test('changes no asset but its repository, whatever its report names', async () => {
    const { send, admin, statuses } = await startShop({ repositories: [repository] });
    const body = { content: generic({}), format: 'generic', repository: other, ref: 'main' };
    await admin.ok('importFindings', { query: soon, body });
    const elsewhere = generic({ severity: 'low', asset: { type: 'host', value: 'db.example.com' } });
    expect((await send({ content: elsewhere, format: 'generic' })).body).toMatchObject({ status: 'failed' });
    const named = generic({ severity: 'low', asset: { type: 'repository', value: other } });
    expect((await send({ content: named, format: 'generic' })).body).toMatchObject({
      task: { result: { created: 1 } },
    });
    const found = (await admin.ok('listFindings', {})).data.map(({ asset, severity }) => [asset.name, severity]);
    expect(found.sort()).toEqual([
      [other, 'high'],
      [repository, 'low'],
    ]);
    expect(await statuses()).toHaveLength(2);
  });

  test('asks about its own imports only', async () => {
    const { admin, ci, send } = await startShop({ repositories: [repository] });
    const body = { content: toolReport(['a']), repository: other, ref: 'main' };
    const { taskId } = await admin.ok('importFindings', { query: soon, body });
    expect(await ci.call('judgeImport', { params: { taskId } })).toMatchObject({ body: { code: 'not_found' } });
    const own = (await send({})).body as { taskId: string };
    expect(await ci.call('judgeImport', { params: { taskId: own.taskId } })).toMatchObject({ status: 200 });
  });

  test('has no other scope, and names whole addresses', async () => {
    const { admin } = await startShop();
    const make = (scopes: string[], address: string) =>
      admin.send('POST', '/api/v1/organization/api-keys', {
        body: { name: 'ci', scopes, boundTo: { repositories: [address] } },
      });
    expect(await make(['imports:write', 'findings:write'], repository)).toMatchObject({ status: 400 });
    expect(await make(['imports:write'], 'acme/shop')).toMatchObject({ status: 400 });
  });

  test('stays bound as an access token', async () => {
    const { admin } = await startShop();
    const boundTo = { repositories: [repository], refs: ['main'] };
    const key = await admin.ok('createApiKey', { body: { name: 'ci', scopes: ['imports:write'], boundTo } });
    const body = { grant_type: 'client_credentials', client_id: key.clientId, client_secret: key.secret };
    const { access_token } = await system.client().ok('issueToken', { body });
    const content = toolReport([]);
    const asToken = system.client(() => access_token);
    expect(await asToken.call('importFindings', { body: { content, repository, ref: 'feature' } })).toMatchObject(
      refused,
    );
    expect(await asToken.call('importFindings', { query: soon, body: { content, repository } })).toMatchObject({
      status: 200,
    });
  });
});
