import { expect, test } from 'vitest';
import { credentials } from '#shared/platform/auth/credential.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const DAY_MS = 86_400_000;
const key = { name: 'CI', scopes: ['findings:read' as const] };

test('an organization sees which keys and accounts are used, to the hour', async () => {
  const { admin, table } = await system.newOrganization();
  const { id, secret } = await admin.ok('createApiKey', { body: key });
  const lastUse = async () => (await admin.ok('getApiKey', { params: { id } })).lastUsedAt;
  expect(await lastUse()).toBe(null);
  const user = system.client(() => secret);
  await user.ok('listConfig');
  const first = await lastUse();
  expect(Date.now() - Date.parse(first ?? '')).toBeLessThan(60_000);
  await user.ok('listConfig');
  expect(await lastUse()).toBe(first);
  const [self] = (await admin.ok('listServiceAccounts')).data;
  expect(Date.now() - Date.parse(self?.lastUsedAt ?? '')).toBeLessThan(60_000);
  const { version, ...current } = await admin.ok('getApiKey', { params: { id } });
  expect([version, current.updatedAt]).toEqual([1, current.createdAt]); // a use is no change
  expect((await admin.ok('listApiKeys')).data[0]).toMatchObject({ id, lastUsedAt: first });
  expect(await table.rows(credentials).find({ id })).toMatchObject({ lastUsedAt: first });
});

test('new keys and accounts end within the lifetime that the organization allows', async () => {
  const { admin } = await system.newOrganization();
  await admin.ok('updateOrganizationSettings', { body: { maximumCredentialDays: 30 } });
  const account = { name: 'export', role: 'viewer' as const };
  const ends = [
    (await admin.ok('createApiKey', { body: key })).expiresAt,
    (await admin.ok('createServiceAccount', { body: account })).expiresAt,
  ];
  for (const end of ends) expect((Date.parse(end ?? '') - Date.now()) / DAY_MS).toBeCloseTo(30, 2);
  const expiresAt = inSeconds(31 * 86_400);
  const refused = { status: 400, body: { code: 'validation_failed', details: [{ path: 'expiresAt' }] } };
  expect(await admin.call('createApiKey', { body: { ...key, expiresAt } })).toMatchObject(refused);
  expect(await admin.call('createServiceAccount', { body: { ...account, expiresAt } })).toMatchObject(refused);
  expect((await admin.ok('listConfig', { query: { paginateSize: 500 } })).data).toContainEqual(
    expect.objectContaining({ key: 'organization.maximumCredentialDays', value: 30, type: 'integer' }),
  );
});

test('a service account is refused after its end, and listed as expired', async () => {
  const { admin, table } = await system.newOrganization();
  const body = { name: 'export', role: 'viewer' as const, expiresAt: inSeconds(3_600) };
  const { id, clientId, clientSecret } = await admin.ok('createServiceAccount', { body });
  const login = () =>
    system.client().call('issueToken', {
      body: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
    });
  expect(await table.rows(credentials).find({ id })).toMatchObject({ expiresAt: body.expiresAt });
  expect((await login()).status).toBe(200);
  await table.rows(credentials).set({ id }, { expiresAt: inSeconds(-1) });
  expect(await login()).toMatchObject({ status: 401, body: { code: 'invalid_client' } });
  expect(await admin.call('updateServiceAccount', { params: { id }, body: { expiresAt: null } })).toMatchObject({
    body: { code: 'read_only' },
  });
});
