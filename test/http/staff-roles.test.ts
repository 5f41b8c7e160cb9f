import { beforeAll, describe, expect, test } from 'vitest';
import type { Client, OperationName } from '../support/client.ts';
import { newAccount } from '../support/engagements.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

/** A stolen account of the provider's staff may do no more than its work needs. */
const system = startSystem();
let provider: TestOrganization;
let head: Client;
beforeAll(async () => {
  provider = await system.newOrganization();
  head = await provider.withRole('platform_owner');
});

const newStaff = (name: string, more: object = {}) => newAccount(system, head, { name, role: 'pentester', ...more });

/** The directory in the view of a client; it also holds staff of other tests. */
const listed = async (client: Client, id: string) =>
  (await client.ok('listEngagementStaff', { query: { paginateSize: 500 } })).data.find((one) => one.id === id);

describe('accounts of staff', () => {
  test('can be created and changed only by staff', async () => {
    const { account } = await newStaff('Sam');
    const body = { name: 'Eve', role: 'pentester' as const };
    const refused = { status: 401, body: { code: 'insufficient_scope' } };
    expect(await provider.admin.call('createServiceAccount', { body })).toMatchObject(refused);
    const params = { id: account.id };
    expect(await provider.admin.call('updateServiceAccount', { params, body: { name: 'Eve' } })).toMatchObject(refused);
    const stranger = await (await system.newOrganization()).withRole('platform_owner');
    for (const name of ['getServiceAccount', 'revokeServiceAccount'] as const)
      expect(await stranger.call(name, { params })).toMatchObject({ body: { code: 'not_found' } });
  });

  test('can create the first administrator of their organization', async () => {
    const { account, client } = await newAccount(system, head, { name: 'Operations', role: 'admin' });
    await client.ok('createLinkToken', { body: { kind: 'scanner' } });
    expect(await listed(client, account.id)).toBeUndefined();
  });

  test('have a mail address and skills unlike other accounts, and keep their role', async () => {
    const refused = (path: string, code = 'validation_failed') => ({
      status: 400,
      body: { code, details: [{ path }] },
    });
    const analyst = { name: 'Ann', role: 'analyst' as const };
    for (const more of [{ email: 'ann@client.example' }, { skills: ['web'] }])
      expect(await head.call('createServiceAccount', { body: { ...analyst, ...more } })).toMatchObject(
        refused(Object.keys(more)[0] ?? ''),
      );
    const { id } = await provider.admin.ok('createServiceAccount', { body: analyst });
    const change = (body: object) => provider.admin.call('updateServiceAccount', { params: { id }, body });
    expect(await change({ email: 'ann@client.example' })).toMatchObject(refused('email'));
    expect(await change({ role: 'admin' })).toMatchObject(refused('role', 'read_only'));
    expect(await change({ name: 'Anna' })).toMatchObject({ status: 200, body: { name: 'Anna', role: 'analyst' } });
  });

  test('of one organization have no rights of each other: a pentester and a manager decide about no organization', async () => {
    const client = await system.newOrganization();
    const params = { id: client.organizationId };
    const attempts = (who: Client): [OperationName, Promise<unknown>][] => [
      ['updateOrganizationLimits', who.call('updateOrganizationLimits', { params, body: { tasks: 1000 } })],
      ['copyOrganization', who.call('copyOrganization', { params })],
      ['deleteOrganization', who.call('deleteOrganization', { params, body: { name: 'Test organization' } })],
      [
        'restoreOrganization',
        who.call('restoreOrganization', { params, body: { copyId: crypto.randomUUID(), name: 'Test organization' } }),
      ],
    ];
    const refused = { status: 401, body: { code: 'insufficient_scope' } };
    const [pentester, manager] = [await provider.withRole('pentester'), await provider.withRole('manager')];
    for (const who of [pentester, manager])
      for (const [name, answer] of attempts(who)) expect(await answer, name).toMatchObject(refused);
    for (const name of ['listPublicScanners', 'listServiceAccounts', 'listBillingDeliveries'] as const) {
      expect(await pentester.call(name), name).toMatchObject(refused);
      await manager.ok(name);
    }
  });

  test('below the owner neither make an account of a role above their own nor take one over', async () => {
    const manager = await provider.withRole('manager');
    const { account: owner } = await newAccount(system, head, { name: 'Owner', role: 'platform_owner' });
    const refused = { status: 401, body: { code: 'insufficient_scope' } };
    for (const role of ['platform_owner', 'admin', 'viewer'] as const)
      expect(await manager.call('createServiceAccount', { body: { name: 'Eve', role } }), role).toMatchObject(refused);
    const params = { id: owner.id };
    for (const attempt of [
      manager.call('rotateServiceAccountSecret', { params, body: { overlapSeconds: 0 } }),
      manager.call('updateServiceAccount', { params, body: { name: 'Eve' } }),
      manager.call('revokeServiceAccount', { params }),
    ])
      expect(await attempt).toMatchObject(refused);
    const { account } = await newAccount(system, manager, { name: 'Sam', role: 'pentester' });
    await manager.ok('revokeServiceAccount', { params: { id: account.id } });
  });
});
