import { expect, test } from 'vitest';
import { createApiKey } from '#shared/credentials/issue.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { linkingTo } from '../support/linking.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

const system = startSystem();
const { login } = linkingTo(system);

/** An administrator who has made a key, a link token, another account and a calendar. */
async function leaverOf({ admin }: TestOrganization) {
  const { id, clientId, clientSecret } = await admin.ok('createServiceAccount', {
    body: { name: 'leaver', role: 'admin' },
  });
  const { body } = await login(clientId, clientSecret);
  const leaver = system.client(() => String(Object(body).access_token));
  const key = await leaver.ok('createApiKey', { body: { name: 'CI', scopes: ['findings:read'] } });
  const token = await leaver.ok('createLinkToken', { body: { kind: 'scanner', name: 'scanners of the office' } });
  const account = await leaver.ok('createServiceAccount', { body: { name: 'export', role: 'viewer' } });
  const feed = await leaver.ok('createCalendarFeed');
  return { id, key, token, account, feed };
}

const own = { query: { paginateSize: 500 } };

test('the deletion of an account names what it made, and revokes keys and tokens in the same call', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const { id, key, token, account, feed } = await leaverOf(organization);
  await admin.ok('createApiKey', { body: { name: 'of another', scopes: ['findings:read'] } });
  const client = system.client(() => key.secret);
  await client.ok('listFindings');
  const params = { id };
  const deleted = await admin.ok('revokeServiceAccount', { params });
  const gone = { revokedAt: expect.any(String) };
  expect(deleted).toEqual({
    id,
    deletedAt: expect.any(String),
    remaining: 0,
    handOverTaskId: null,
    made: {
      apiKeys: [{ id: key.id, name: 'CI', ...gone }],
      linkTokens: [{ id: token.id, name: 'scanners of the office', ...gone }],
      serviceAccounts: [{ id: account.id, name: 'export', revokedAt: null }],
      calendarFeed: true,
    },
  });
  expect(await client.call('listFindings')).toMatchObject({ status: 401 });
  const link = { linkToken: token.linkToken, name: 'north', instanceId: crypto.randomUUID() };
  expect(await system.client().call('linkScanner', { body: link })).toMatchObject({ status: 401 });
  expect(await system.client().send('GET', feed.path)).toMatchObject({ status: 401 });
  const kept = (await admin.ok('listApiKeys', own)).data.filter(({ status }) => status === 'active');
  expect(kept.map(({ name }) => name).toSorted()).toEqual(['every scope', 'of another']);
  expect(await admin.ok('revokeServiceAccount', { params })).toMatchObject({
    made: { apiKeys: [], calendarFeed: false },
  });
});

test('with revoke=none all stays, is listed with its maker, and is revoked later by the same call', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const { id, key, token } = await leaverOf(organization);
  const params = { id };
  const { made } = await admin.ok('revokeServiceAccount', { params, query: { revoke: 'none' } });
  expect(made).toMatchObject({
    apiKeys: [{ id: key.id, revokedAt: null }],
    linkTokens: [{ id: token.id, revokedAt: null }],
  });
  await system.client(() => key.secret).ok('listFindings');
  const query = { createdById: id };
  const found = { createdBy: { id, name: 'leaver' }, status: 'active' };
  expect(await admin.ok('listApiKeys', { query })).toMatchObject({ totalCount: 1, data: [{ id: key.id, ...found }] });
  expect(await admin.ok('listLinkTokens', { query })).toMatchObject({
    totalCount: 1,
    data: [{ id: token.id, name: 'scanners of the office', ...found }],
  });
  expect(await admin.ok('listApiKeys', { query: { createdById: token.id } })).toMatchObject({ totalCount: 0 });
  await admin.ok('revokeServiceAccount', { params });
  expect(await admin.ok('listApiKeys', { query })).toMatchObject({ data: [{ id: key.id, status: 'revoked' }] });
});

test('an account that is gone leaves no new key behind, even where its access token is still taken', async () => {
  const organization = await system.newOrganization();
  const { id } = await leaverOf(organization);
  await organization.admin.ok('revokeServiceAccount', { params: { id } });
  const asLeaver = openTable(system.connections.dynamo, organization.organizationId, {
    kind: 'system',
    id,
    name: 'leaver',
  });
  const creation = createApiKey(asLeaver, { name: 'back door', scopes: ['findings:read'], expiresAt: null });
  await expect(creation).rejects.toMatchObject({ code: 'unauthorized' });
  const { data } = await organization.admin.ok('listApiKeys', own);
  expect(data.map(({ name }) => name)).not.toContain('back door');
});

test('a link token without a name has none', async () => {
  const { admin } = await system.newOrganization();
  const { id } = await admin.ok('createLinkToken', { body: { kind: 'agent' } });
  expect(await admin.ok('getLinkToken', { params: { id } })).toMatchObject({ name: null });
});
