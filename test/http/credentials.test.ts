import { expect, test } from 'vitest';
import { createServiceAccount } from '#shared/credentials/issue.ts';
import { credentials } from '#shared/platform/auth/credential.ts';
import { SCOPES, type Scope } from '#shared/platform/auth/permissions.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

const system = startSystem();
const everyScope = Object.keys(SCOPES) as Scope[];
const body = { name: 'CI', scopes: ['findings:read', 'findings:write'] as Scope[] };

const credentialOf = ({ table }: TestOrganization, id: string) => table.rows(credentials).find({ id }, true);
const login = (client_id: string, client_secret: string) =>
  system.client().call('issueToken', { body: { grant_type: 'client_credentials', client_id, client_secret } });

test('a new API key works, is listed without its secret, and is stored only as a hash', async () => {
  const organization = await system.newOrganization();
  const created = await organization.admin.ok('createApiKey', { body });
  const { secret, ...record } = created;
  expect(record).toEqual({
    id: expect.any(String),
    version: 1,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    createdBy: { kind: 'system', id: expect.any(String), name: 'administrator' },
    name: 'CI',
    scopes: ['findings:read', 'findings:write'],
    expiresAt: null,
    lastUsedAt: null,
    clientId: expect.stringMatching(/^exc_\w{44}$/),
    status: 'active',
    revokedAt: null,
  });
  expect(secret).toMatch(/^exk_\w{44}_\w{49}$/);
  expect(await organization.admin.ok('getApiKey', { params: { id: record.id } })).toEqual(record);
  const { data, totalCount } = await organization.admin.ok('listApiKeys');
  expect([data[0], totalCount]).toEqual([record, 2]);
  const everything = JSON.stringify([await credentialOf(organization, record.id), data]);
  expect(everything).not.toContain(secret.slice(-49));
  expect(await system.client(() => secret).call('getTask', { params: { id: newId() } })).toMatchObject({
    body: { code: 'not_found' },
  });
});

test('a revoked key stops working and stays listed as revoked; revoking it again changes nothing', async () => {
  const { admin } = await system.newOrganization();
  const { id, secret } = await admin.ok('createApiKey', { body });
  const client = system.client(() => secret);
  expect((await client.call('listConfig')).status).toBe(200);
  const revoked = await admin.ok('revokeApiKey', { params: { id } });
  expect(revoked).toEqual({ id, deletedAt: expect.any(String) });
  expect(await admin.ok('revokeApiKey', { params: { id } })).toEqual(revoked);
  expect(await admin.ok('getApiKey', { params: { id } })).toMatchObject({
    status: 'revoked',
    revokedAt: revoked.deletedAt,
    version: 2,
  });
  expect(await login(id, secret)).toMatchObject({ status: 401, body: { code: 'invalid_client' } });
});

test.each([
  ['no name', { scopes: ['findings:read'] }, 'name'],
  ['an empty name', { name: ' ', scopes: ['findings:read'] }, 'name'],
  ['no scopes', { name: 'CI', scopes: [] }, 'scopes'],
  ['an unknown scope', { name: 'CI', scopes: ['everything'] }, 'scopes.0'],
  ['a scope twice', { name: 'CI', scopes: ['findings:read', 'findings:read'] }, 'scopes'],
  ['an unknown field', { ...body, role: 'admin' }, 'role'],
  ['an end in the past', { ...body, expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
])('an API key with %s is refused, and the wrong field is named', async (_, wrong, path) => {
  const { admin } = await system.newOrganization();
  const answer = await admin.call('createApiKey', { body: wrong as never });
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
  expect((await admin.ok('listApiKeys')).totalCount).toBe(1);
});

test('an API key with any scopes cannot create credentials', async () => {
  const organization = await system.newOrganization();
  const key = await organization.apiKey(everyScope);
  for (const name of ['listApiKeys', 'listServiceAccounts', 'listLinkTokens'] as const)
    expect(await key.call(name)).toMatchObject({ status: 401, body: { code: 'insufficient_scope' } });
  expect(await key.call('createApiKey', { body })).toMatchObject({ status: 401 });
});

test('an analyst and a viewer cannot create credentials', async () => {
  const organization = await system.newOrganization();
  for (const role of ['viewer', 'analyst', 'pentester'] as const) {
    const client = await organization.withRole(role);
    expect(await client.call('createApiKey', { body })).toMatchObject({
      status: 401,
      body: { code: 'insufficient_scope' },
    });
  }
});

test('a caller cannot see, revoke or rotate a credential of another organization', async () => {
  const [mine, theirs] = [await system.newOrganization(), await system.newOrganization()];
  const key = await theirs.admin.ok('createApiKey', { body });
  const account = await theirs.admin.ok('createServiceAccount', { body: { name: 'export', role: 'viewer' } });
  const token = await theirs.admin.ok('createLinkToken', { body: { kind: 'scanner' } });
  const foreign = { status: 400, body: { code: 'not_found' } };
  for (const name of ['getApiKey', 'revokeApiKey'] as const)
    expect(await mine.admin.call(name, { params: { id: key.id } })).toMatchObject(foreign);
  for (const name of ['getServiceAccount', 'revokeServiceAccount', 'rotateServiceAccountSecret'] as const)
    expect(await mine.admin.call(name, { params: { id: account.id } })).toMatchObject(foreign);
  for (const name of ['getLinkToken', 'revokeLinkToken'] as const)
    expect(await mine.admin.call(name, { params: { id: token.id } })).toMatchObject(foreign);
  for (const { id } of [key, account, token]) expect(await credentialOf(theirs, id)).toBeDefined();
});

test('a service account has only its role and can give no higher role', async () => {
  const { admin } = await system.newOrganization();
  const { clientSecret, ...account } = await admin.ok('createServiceAccount', {
    body: { name: 'export', role: 'analyst' },
  });
  expect(account).toMatchObject({ name: 'export', role: 'analyst', status: 'active', revokedAt: null, version: 1 });
  expect(await admin.ok('getServiceAccount', { params: { id: account.id } })).toEqual(account);
  const granted = await login(account.clientId, clientSecret);
  expect(granted).toMatchObject({ status: 200, body: { scope: 'role:analyst' } });
  expect(await admin.call('createServiceAccount', { body: { name: 'x', role: 'pentester' } })).toMatchObject({
    status: 401,
    body: { code: 'insufficient_scope' },
  });
  expect((await admin.ok('listServiceAccounts')).totalCount).toBe(2);
});

test('the old and the new secret work during the overlap, and only the new one without an overlap', async () => {
  const { admin } = await system.newOrganization();
  const { id, clientId, clientSecret } = await admin.ok('createServiceAccount', {
    body: { name: 'export', role: 'viewer' },
  });
  const second = await admin.ok('rotateServiceAccountSecret', { params: { id }, body: {} });
  expect(second).toEqual({
    id,
    clientId,
    clientSecret: expect.stringMatching(/^exs_\w{49}$/),
    previousWorksUntil: expect.any(String),
  });
  expect(Date.parse(second.previousWorksUntil)).toBeGreaterThan(Date.now() + 3_500_000);
  for (const secret of [clientSecret, second.clientSecret]) expect((await login(clientId, secret)).status).toBe(200);
  const third = await admin.ok('rotateServiceAccountSecret', { params: { id }, body: { overlapSeconds: 0 } });
  expect((await login(clientId, third.clientSecret)).status).toBe(200);
  for (const secret of [clientSecret, second.clientSecret])
    expect(await login(clientId, secret)).toMatchObject({ status: 401, body: { code: 'invalid_client' } });
});

test('an administrator of the provider cannot become staff by a new secret for one of them', async () => {
  const { admin, table } = await system.newOrganization();
  const staff = await createServiceAccount(table, { name: 'staff', role: 'pentester' });
  const id = (await admin.ok('listServiceAccounts')).data.find(({ role }) => role === 'pentester')?.id ?? '';
  expect(await admin.call('rotateServiceAccountSecret', { params: { id }, body: { overlapSeconds: 0 } })).toMatchObject(
    {
      status: 401,
      body: { code: 'insufficient_scope' },
    },
  );
  expect((await login(staff.clientId, staff.clientSecret)).status).toBe(200);
});

test('a revoked service account and its tokens stop working, and an administrator cannot revoke itself', async () => {
  const { admin } = await system.newOrganization();
  const [self] = (await admin.ok('listServiceAccounts')).data;
  expect(await admin.call('revokeServiceAccount', { params: { id: self?.id ?? '' } })).toMatchObject({
    body: { code: 'conflict' },
  });
  const { id, clientId, clientSecret } = await admin.ok('createServiceAccount', {
    body: { name: 'old', role: 'admin' },
  });
  const granted = await login(clientId, clientSecret);
  const token = granted.status === 200 ? granted.body.access_token : '';
  const client = system.client(() => token);
  await client.ok('listApiKeys');
  await admin.ok('revokeServiceAccount', { params: { id } });
  expect((await login(clientId, clientSecret)).status).toBe(401);
  expect(await client.call('listApiKeys')).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  expect(await admin.call('rotateServiceAccountSecret', { params: { id } })).toMatchObject({
    status: 400,
    body: { code: 'conflict' },
  });
});

test('a machine rotates its own secret, and the old secret works for another hour', async () => {
  const organization = await system.newOrganization();
  const scanner = await organization.scanner();
  const rotated = await scanner.client.ok('rotateMachineSecret', { body: {} });
  expect(rotated).toMatchObject({ id: scanner.id, clientId: scanner.clientId });
  for (const secret of [scanner.clientSecret, rotated.clientSecret])
    expect((await login(scanner.clientId, secret)).status).toBe(200);
  expect(await organization.admin.call('rotateMachineSecret', { body: {} })).toMatchObject({ status: 401 });
});

test('a machine that loses several answers in a row keeps a working secret', async () => {
  const organization = await system.newOrganization();
  const { id, client, clientId, clientSecret } = await organization.scanner();
  for (let n = 0; n < 4; n++) await client.ok('rotateMachineSecret', { body: {} });
  expect(await client.call('rotateMachineSecret', { body: {} })).toMatchObject({
    status: 400,
    body: { code: 'limit_exceeded' },
  });
  expect((await credentialOf(organization, id))?.secrets).toHaveLength(5);
  expect((await login(clientId, clientSecret)).status).toBe(200);
  const last = await client.ok('rotateMachineSecret', { body: { overlapSeconds: 0 } });
  expect((await login(clientId, last.clientSecret)).status).toBe(200);
  expect((await login(clientId, clientSecret)).status).toBe(401);
});

test('a link token is valid for a day and one use by default', async () => {
  const { admin } = await system.newOrganization();
  const { linkToken, ...token } = await admin.ok('createLinkToken', { body: { kind: 'scanner' } });
  expect(linkToken).toMatch(/^exl_\w{44}_\w{49}$/);
  expect(token).toMatchObject({ kind: 'scanner', maxUses: 1, uses: 0, zone: null, group: null, status: 'active' });
  expect(Math.abs(Date.parse(token.expiresAt) - Date.parse(inSeconds(86_400)))).toBeLessThan(60_000);
  expect(await admin.ok('getLinkToken', { params: { id: token.id } })).toEqual(token);
  expect((await admin.ok('listLinkTokens')).data).toEqual([token]);
  await admin.ok('revokeLinkToken', { params: { id: token.id } });
  expect(await admin.ok('getLinkToken', { params: { id: token.id } })).toMatchObject({ status: 'revoked' });
});

test.each([
  ['an unknown kind', { kind: 'toaster' }, 'kind'],
  ['no use', { kind: 'scanner', maxUses: 0 }, 'maxUses'],
  ['an end in the past', { kind: 'scanner', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  ['an end in ten years', { kind: 'scanner', expiresAt: inSeconds(3650 * 86_400) }, 'expiresAt'],
  ['an invalid group id', { kind: 'scanner', group: 'mine' }, 'group'],
])('a link token with %s is refused', async (_, wrong, path) => {
  const { admin } = await system.newOrganization();
  const answer = await admin.call('createLinkToken', { body: wrong as never });
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
  expect((await admin.ok('listLinkTokens')).totalCount).toBe(0);
});

test('an Idempotency-Key never repeats an answer that held a secret', async () => {
  const { admin } = await system.newOrganization();
  const headers = { 'idempotency-key': 'once' };
  await admin.ok('createApiKey', { body, headers });
  expect(await admin.call('createApiKey', { body, headers })).toMatchObject({ body: { code: 'conflict' } });
  expect((await admin.ok('listApiKeys')).totalCount).toBe(2);
});

test('each credential sees what it is, where it works and what it opens, and no secret', async () => {
  const { admin, organizationId } = await system.newOrganization();
  const repository = 'https://git.example.com/acme/shop';
  const bound = {
    name: 'CI of the shop',
    scopes: ['imports:write' as const],
    boundTo: { repositories: [repository], refs: ['main'] },
  };
  const { secret, id } = await admin.ok('createApiKey', { body: bound });
  const own = { id: organizationId, name: expect.any(String) };
  const { organization, ...key } = await system.client(() => secret).ok('getCurrentCredential');
  expect(organization).toEqual(own);
  expect(key).toEqual({
    id,
    name: 'CI of the shop',
    kind: 'api_key',
    scopes: ['imports:write'],
    boundTo: { repositories: [expect.stringContaining('git.example.com/acme/shop')], refs: ['main'] },
  });
  expect(await admin.ok('getCurrentCredential')).toMatchObject({ kind: 'service_account', organization: own });
});
