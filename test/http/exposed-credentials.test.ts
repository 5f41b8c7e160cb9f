import { expect, test } from 'vitest';
import { KEY, listed, OTHER, SHOP, send, statuses, system, TILL } from '../support/found-secrets.ts';
import { gitleaks, trufflehog } from '../support/secret-reports.ts';
import type { TestOrganization } from '../support/system.ts';
import { follow } from '../support/vulnerabilities.ts';
import { finished } from '../support/wait.ts';

async function only(organization: TestOrganization) {
  const [first, ...others] = await listed(organization);
  if (!first || others.length > 0) throw new Error(`${others.length} more than one credential`);
  return first;
}

const placesOf = async ({ admin }: TestOrganization, id: string) =>
  (await admin.ok('listExposedCredentialPlaces', { params: { id } })).data;

async function decide({ admin, table }: TestOrganization, id: string, body: object) {
  const decided = await admin.ok('updateExposedCredential', { params: { id }, body });
  for (const task of (await admin.ok('listTasks', { query: { operation: 'follow_credential' } })).data)
    await finished(admin, task.id);
  await follow({ connections: system.connections, table });
  return decided;
}

test('one secret in two repositories, found by two tools, is one credential with three places', async () => {
  const organization = await system.newOrganization();
  await send(organization, {
    content: gitleaks([
      { secret: KEY, file: 'a.env' },
      { secret: KEY, file: 'b.env' },
    ]),
  });
  const content = trufflehog([{ secret: KEY, file: 'keys.txt', verified: true, account: 'acct_1' }]);
  await send(organization, { content, repository: TILL });
  const credential = await only(organization);
  expect(credential).toMatchObject({
    kind: 'api_key',
    masked: 'k3****77',
    account: 'acct_1',
    sources: ['scanner'],
    tools: ['gitleaks', 'trufflehog'],
    status: 'active',
    verified: true,
    places: 3,
    openPlaces: 3,
  });
  expect(credential.assets.map(({ name }) => name).sort()).toEqual([SHOP, TILL]);
  const places = await placesOf(organization, credential.id);
  expect(places.map(({ location, tool }) => [tool, location])).toEqual([
    ['trufflehog', 'keys.txt:4'],
    ['gitleaks', 'b.env:2'],
    ['gitleaks', 'a.env:1'],
  ]);
});

test('filters and words find credentials, and the dashboard counts them', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  await send(organization, {
    content: trufflehog([
      { secret: KEY, file: 'a', verified: true, account: 'ops@acme.test' },
      { secret: OTHER, file: 'b', rule: 'Password' },
    ]),
  });
  const kinds = async (query: object) => (await listed(organization, query)).map(({ kind }) => kind);
  expect(await kinds({ verified: 'true' })).toEqual(['other']);
  expect(await kinds({ verified: 'unknown' })).toEqual(['password']);
  expect(await kinds({ kind: 'password', source: 'scanner', tool: 'TruffleHog' })).toEqual(['password']);
  expect(await kinds({ filter: 'kind:password tool:TRUFFLEHOG' })).toEqual(['password']);
  expect(await kinds({ account: 'OPS@acme.test' })).toEqual(['other']);
  expect(await kinds({ source: 'breach' })).toEqual([]);
  const [{ assets: [asset] = [] } = {}] = await listed(organization);
  expect(await kinds({ assetId: asset?.id })).toHaveLength(2);
  const found = await admin.ok('searchExposedCredentials', { query: { search: 'ops' } });
  expect(found.data).toHaveLength(1);
  const [password] = await listed(organization, { kind: 'password' });
  await decide(organization, password?.id ?? '', { status: 'rotated', reason: 'in the vault' });
  const { asOf: _asOf, oldestActiveSeconds, ...summary } = await admin.ok('getExposedCredentialsSummary');
  expect(summary).toMatchObject({
    total: 2,
    byStatus: { active: 1, rotated: 1, revoked: 0, false_positive: 0 },
    byKind: { password: 1, other: 1, api_key: 0 },
    bySource: { scanner: 2, breach: 0 },
    activeVerified: 1,
    rotated30d: 1,
  });
  expect(oldestActiveSeconds).toEqual(expect.any(Number));
});

test('a false positive holds for its findings and for those that come later, and is taken back', async () => {
  const organization = await system.newOrganization();
  await send(organization, { content: gitleaks([{ secret: KEY, file: 'a.env' }]) });
  const { id } = await only(organization);
  await decide(organization, id, { status: 'false_positive', reason: 'an example of the documentation' });
  expect(await statuses(organization)).toEqual(['false_positive']);
  await send(organization, { content: gitleaks([{ secret: KEY, file: 'b.env' }]), repository: TILL });
  await send(organization, { content: gitleaks([{ secret: KEY, file: 'a.env' }]) });
  await expect.poll(() => statuses(organization), { timeout: 60_000 }).toEqual(['false_positive', 'false_positive']);
  expect(await only(organization)).toMatchObject({ status: 'false_positive', places: 2 });
  await decide(organization, id, { status: 'active' });
  expect(await statuses(organization)).toEqual(['open', 'open']);
  expect(await only(organization)).toMatchObject({ status: 'active', statusReason: null });
});

test('a secret whose findings were all called false is a false positive, until it is found elsewhere', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  await send(organization, { content: gitleaks([{ secret: KEY, file: 'a.env' }]) });
  const [finding] = (await admin.ok('listFindings', {})).data;
  const body = { status: 'false_positive' as const, statusReason: 'a test' };
  await admin.ok('updateFinding', { params: { id: finding?.id ?? '' }, body });
  await follow({ connections: system.connections, table });
  expect(await only(organization)).toMatchObject({ status: 'false_positive', decidedBy: null });
  await send(organization, { content: gitleaks([{ secret: KEY, file: 'a.env' }]) });
  expect(await only(organization)).toMatchObject({ status: 'false_positive', places: 1 });
  await send(organization, { content: gitleaks([{ secret: KEY, file: 'b.env' }]), repository: TILL });
  expect(await only(organization)).toMatchObject({ status: 'active', places: 2 });
});

test('a secret that nobody finds any more stays active; one called rotated is active again when a check lets it in', async () => {
  const organization = await system.newOrganization();
  const content = (verified: boolean) =>
    trufflehog([
      { secret: KEY, file: 'a', verified },
      { secret: OTHER, file: 'b' },
    ]);
  await send(organization, { content: content(false) });
  await send(organization, { content: trufflehog([{ secret: OTHER, file: 'b' }]) });
  const [gone] = (await listed(organization)).filter(({ masked }) => masked === 'k3****77');
  expect(gone).toMatchObject({ status: 'active', places: 1, openPlaces: 0 });
  const id = gone?.id ?? '';
  await decide(organization, id, { status: 'rotated', reason: 'in the vault' });
  await send(organization, { content: content(false) });
  const get = () => organization.admin.ok('getExposedCredential', { params: { id } });
  expect(await get()).toMatchObject({ status: 'rotated', statusReason: 'in the vault', openPlaces: 1 });
  await send(organization, { content: content(true) });
  expect(await get()).toMatchObject({ status: 'active', statusReason: null, verified: true, endedAt: null });
});

test('an end needs a reason, and a status that is none is refused', async () => {
  const organization = await system.newOrganization();
  await send(organization, { content: gitleaks([{ secret: KEY, file: 'a.env' }]) });
  const { id } = await only(organization);
  const patch = (body: object) => organization.admin.call('updateExposedCredential', { params: { id }, body });
  expect(await patch({ status: 'revoked' })).toMatchObject({ status: 400, body: { details: [{ path: 'reason' }] } });
  expect(await patch({ status: 'gone' })).toMatchObject({ status: 400, body: { details: [{ path: 'status' }] } });
  expect(await patch({ places: 7 })).toMatchObject({ status: 400, body: { code: 'read_only' } });
  const reader = await organization.apiKey(['findings:read']);
  const refused = await reader.call('updateExposedCredential', { params: { id }, body: { status: 'active' } });
  expect(refused).toMatchObject({ status: 401 });
});
