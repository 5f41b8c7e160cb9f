import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { newAccount } from '../support/engagements.ts';
import { routes } from '../support/every-route.ts';
import { entraUser } from '../support/scim.ts';
import { newAddress } from '../support/sign-in.ts';
import { enterByGrant } from '../support/support-grants.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

/** The provider's staff see and do nothing in a client's organization unless the client lets them, and never keep a key. */
const system = startSystem();
let owner: Client;
beforeAll(async () => {
  owner = await (await system.newOrganization()).withRole('platform_owner');
});

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const staffNamed = (name: string) => newAccount(system, owner, { name, role: 'pentester' });

type Grant = { staffId?: string; role?: 'viewer' | 'analyst' | 'admin'; expiresAt?: string };
const granted = ({ admin }: TestOrganization, { role = 'analyst', expiresAt = inHours(1), ...more }: Grant) =>
  admin.ok('createSupportGrant', { body: { role, expiresAt, reason: 'Help with an import', ...more } });

async function entered(staff: Client, { organizationId }: TestOrganization, body = {}) {
  const access = await staff.ok('accessOrganization', { params: { id: organizationId }, body });
  return { access, client: system.client(() => access.accessToken) };
}
const refusedEntry = async (staff: Client, { organizationId }: TestOrganization) =>
  expect(await staff.call('accessOrganization', { params: { id: organizationId }, body: {} })).toMatchObject({
    status: 401,
    body: { code: 'insufficient_scope' },
  });

/** The areas whose changes are of credentials and people. */
const PEOPLE = ['credentials', 'support-grants', 'users', 'roles', 'teams', 'scim', 'sign-in', 'billing'];

describe('staff of the provider', () => {
  test('act by a grant in its role, in that organization only, and the audit log names them', async () => {
    const [organization, other] = [await system.newOrganization(), await system.newOrganization()];
    const { account, client: sam } = await staffNamed('Sam');
    const grant = await granted(organization, { staffId: account.id });
    expect(grant).toMatchObject({
      staffId: account.id,
      staffName: 'Sam',
      role: 'analyst',
      status: 'active',
      revokedAt: null,
    });
    const { access, client } = await entered(sam, organization);
    expect(access).toMatchObject({ organizationId: organization.organizationId, grantId: grant.id, role: 'analyst' });
    const rule = await client.ok('createAssetTagRule', {
      body: { name: 'by support', condition: { field: 'hostname', operator: 'equals', value: 'a' }, tags: ['a'] },
    });
    expect(rule.createdBy).toEqual({ kind: 'system', id: account.id, name: 'Sam (provider staff)' });
    expect((await other.admin.ok('listAssetTagRules')).totalCount).toBe(0);
    expect(await client.call('listApiKeys')).toMatchObject({ body: { code: 'insufficient_scope' } });
    await refusedEntry(sam, other);
    await refusedEntry((await staffNamed('Eve')).client, organization);
    const entries = async () => (await organization.admin.ok('listAudit', { query: { actorId: account.id } })).data;
    await expect.poll(entries, { timeout: 20_000 }).toMatchObject([
      { kind: 'refused', operation: 'listApiKeys', actor: { name: 'Sam (provider staff)' } },
      { operation: 'createAssetTagRule', actor: { name: 'Sam (provider staff)' } },
      { kind: 'signed_in', operation: 'accessOrganization', actor: { name: 'Sam (provider staff)' } },
    ]);
  });

  test('take a lower role on request, and never a higher one', async () => {
    const organization = await system.newOrganization();
    const { client: sam } = await staffNamed('Sam');
    await granted(organization, { role: 'viewer' });
    const params = { id: organization.organizationId };
    expect(await sam.call('accessOrganization', { params, body: { role: 'analyst' } })).toMatchObject({
      body: { code: 'validation_failed', details: [{ path: 'role' }] },
    });
    await granted(organization, { role: 'admin' });
    expect((await entered(sam, organization)).access.role).toBe('admin');
    const { access, client } = await entered(sam, organization, { role: 'viewer' });
    expect(access.role).toBe('viewer');
    expect(await client.call('updateOrganizationSettings', { body: { branchDays: 3 } })).toMatchObject({ status: 401 });
  });

  test('create no credential, no grant and no role, and approve nothing, whatever their role', async () => {
    const organization = await system.newOrganization();
    const client = await enterByGrant(system, (await staffNamed('Sam')).client, organization);
    const attempts = [
      client.call('createApiKey', { body: { name: 'back door', scopes: ['findings:read'] } }),
      client.call('createServiceAccount', { body: { name: 'back door', role: 'admin' } }),
      client.call('createLinkToken', { body: { kind: 'scanner' } }),
      client.call('createCalendarFeed'),
      client.call('createSupportGrant', { body: { role: 'admin', expiresAt: inHours(100), reason: 'longer' } }),
      client.call('accessOrganization', { params: { id: organization.organizationId }, body: {} }),
      client.call('approveEngagement', { params: { id: crypto.randomUUID() } }),
    ];
    for (const answer of await Promise.all(attempts))
      expect(answer).toMatchObject({ body: { code: 'insufficient_scope' } });
    for (const body of [
      { secondStepRequired: false },
      { maximumCredentialDays: 0 },
      { exploitationNeedsSecondPerson: null },
    ])
      expect(await client.call('updateOrganizationSettings', { body })).toMatchObject({
        body: { code: 'insufficient_scope' },
      });
    await client.ok('updateOrganizationSettings', { body: { branchDays: 3 } });
    const scim = { body: entraUser(newAddress()), headers: { 'content-type': 'application/scim+json' } };
    expect(await client.send('POST', '/scim/v2/Users', scim)).toMatchObject({ status: 403 });
    expect((await organization.admin.ok('listUsers')).totalCount).toBe(0);
    await client.ok('listApiKeys');
  });

  test('are refused by every operation that shows a secret to people, and by every change of credentials and people', () => {
    const open = routes.filter(({ access, method, answersSecret, area }) => {
      const changes = method !== 'GET' && PEOPLE.includes(area);
      return typeof access === 'object' && access.role && !access.own && (answersSecret || changes);
    });
    expect(open.map(({ name }) => name)).toEqual([]);
  });
});

describe('a grant', () => {
  test('lasts seven days at most, and names a member of staff', async () => {
    const { admin } = await system.newOrganization();
    const body = { role: 'viewer' as const, reason: 'test' };
    const wrong = (more: { expiresAt: string; staffId?: string }) =>
      admin.call('createSupportGrant', { body: { ...body, ...more } });
    for (const expiresAt of [inHours(-1), inHours(7 * 24 + 1)])
      expect(await wrong({ expiresAt })).toMatchObject({
        body: { code: 'validation_failed', details: [{ path: 'expiresAt' }] },
      });
    expect(await wrong({ expiresAt: inHours(1), staffId: crypto.randomUUID() })).toMatchObject({
      body: { code: 'validation_failed', details: [{ path: 'staffId' }] },
    });
  });

  test('that is revoked ends the tokens that staff have by it', async () => {
    const organization = await system.newOrganization();
    const { client: sam } = await staffNamed('Sam');
    const { id } = await granted(organization, {});
    const { client } = await entered(sam, organization);
    await client.ok('listFindings');
    await organization.admin.ok('revokeSupportGrant', { params: { id } });
    const ended = async () => (await client.call('listFindings')).status;
    await expect.poll(ended, { timeout: 70_000, interval: 1_000 }).toBe(401);
    await refusedEntry(sam, organization);
    expect(await organization.admin.ok('getSupportGrant', { params: { id } })).toMatchObject({ status: 'revoked' });
    await granted(organization, { role: 'admin' });
    expect(await client.call('listFindings')).toMatchObject({ status: 401 });
  });

  test('that has expired opens nothing, also for a token of before', async () => {
    const organization = await system.newOrganization();
    const { client: sam } = await staffNamed('Sam');
    const { id, expiresAt } = await granted(organization, { expiresAt: new Date(Date.now() + 2_000).toISOString() });
    const { access, client } = await entered(sam, organization);
    expect(access.expiresAt).toBe(expiresAt);
    await client.ok('listFindings');
    await sleep(Date.parse(expiresAt) - Date.now() + 50);
    expect(await client.call('listFindings')).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining('grant') },
    });
    await refusedEntry(sam, organization);
    expect(await organization.admin.ok('getSupportGrant', { params: { id } })).toMatchObject({ status: 'expired' });
  });

  test('ends for a member of staff whose own account is revoked', async () => {
    const organization = await system.newOrganization();
    const { account, client: sam } = await staffNamed('Sam');
    await granted(organization, {});
    const { client } = await entered(sam, organization);
    await owner.ok('revokeServiceAccount', { params: { id: account.id } });
    const ended = async () => (await client.call('listFindings')).status;
    await expect.poll(ended, { timeout: 70_000, interval: 1_000 }).toBe(401);
  });
});
