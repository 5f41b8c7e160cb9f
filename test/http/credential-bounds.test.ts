import { describe, expect, test } from 'vitest';
import { scanCredentials } from '#shared/scanning/scan-credentials/scan-credential.ts';
import { create, newAccount, read } from '../support/engagements.ts';
import { takeTasks } from '../support/pools.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

const system = startSystem();
const secret = { password: 'only-for-the-shop' };
const host = (value: string, zone: string | null = null) => ({ type: 'host' as const, value, zone });

const newCredential = ({ admin }: TestOrganization, bounds: object = {}) =>
  admin.ok('createCredential', { body: { name: 'Backup', kind: 'ssh', username: 'backup', secret, ...bounds } });

const bounds = {
  targets: [
    host('10.0.0.7'),
    { type: 'cidr' as const, value: '10.1.0.5-10.1.0.9' },
    { type: 'domain' as const, value: 'shop.example.com' },
  ],
  zones: ['office'],
};

describe('a credential of scans is bound to its targets', () => {
  test.each([
    ['its host', host('10.0.0.7'), 'approved'],
    ['an address of its range', host('10.1.0.6'), 'approved'],
    ['a name of its domain', host('db.shop.example.com'), 'approved'],
    ['any target of its zone', host('10.9.9.9', 'office'), 'approved'],
    ['another host', host('10.0.0.8'), 'requested'],
    ['the same address in a zone', host('10.0.0.7', 'lab'), 'requested'],
    ['a range around its range', { type: 'cidr' as const, value: '10.1.0.0/24' }, 'requested'],
    ['a name that ends alike', host('evilshop.example.com'), 'requested'],
  ])('an analyst may use it on %s without a decision or not: %o %s', async (_, target, status) => {
    const organization = await system.newOrganization();
    const { id: credential } = await newCredential(organization, bounds);
    for (const client of [await organization.withRole('analyst'), await organization.apiKey(['scans:trigger'])]) {
      const { id } = await create(client, { targets: [target], credentialIds: [credential] });
      const engagement = await read(organization, id);
      expect([engagement.status === 'requested' ? 'requested' : 'approved', engagement.tasks?.pending]).toEqual([
        status,
        status === 'approved' ? 1 : 0,
      ]);
    }
  });

  test('an administrator decides on its use elsewhere, and only then a scanner gets it', async () => {
    const organization = await system.newOrganization();
    const scanner = await organization.scanner();
    const { id: credential } = await newCredential(organization);
    const analyst = await organization.withRole('analyst');
    const { id } = await create(analyst, { targets: [host('10.9.9.9')], credentialIds: [credential] });
    const params = { id };
    expect(await analyst.call('approveEngagement', { params })).toMatchObject({ status: 401 });
    expect(await takeTasks(scanner)).toEqual([]);
    const approved = await organization.admin.ok('approveEngagement', { params });
    expect(approved).toMatchObject({ status: 'approved', approvedCredentialIds: [credential] });
    await expect.poll(async () => (await read(organization, id)).tasks?.pending).toBe(1);
    const [task] = await takeTasks(scanner);
    const released = await scanner.client.ok('releaseTaskSecrets', { params: { id: task?.id ?? '' } });
    expect(released.credentials).toMatchObject([{ id: credential, secret }]);
  });

  test('a later target outside of it takes the approval away, and nothing is sent there', async () => {
    const organization = await system.newOrganization();
    const { id: credential } = await newCredential(organization, bounds);
    const analyst = await organization.withRole('analyst');
    const schedule = { startAt: '2099-01-01T00:00:00Z' };
    const { id } = await create(analyst, { targets: [host('10.0.0.7')], credentialIds: [credential], schedule });
    const body = { targets: [host('10.0.0.7'), host('203.0.113.66')] };
    expect(await analyst.ok('updateEngagement', { params: { id }, body })).toMatchObject({
      status: 'requested',
      nextRunAt: null,
    });
  });

  test('it is not released any more when its targets were narrowed after the task was made', async () => {
    const organization = await system.newOrganization();
    const scanner = await organization.scanner();
    const { id: credential } = await newCredential(organization, bounds);
    await create(organization.admin, { targets: [host('10.0.0.7')], credentialIds: [credential] });
    const [task] = await takeTasks(scanner);
    const body = { targets: [host('10.0.0.1')] };
    const narrowed = await organization.admin.ok('updateCredential', { params: { id: credential }, body });
    expect(narrowed.targets).toEqual([host('10.0.0.1')]);
    const released = await scanner.client.ok('releaseTaskSecrets', { params: { id: task?.id ?? '' } });
    expect(released.credentials).toEqual([]);
  });

  test('one of an older release is bound to nothing until its targets are given', async () => {
    const organization = await system.newOrganization();
    const { id: credential } = await newCredential(organization, bounds);
    await organization.table.modify(
      scanCredentials,
      credential,
      () => ({ targets: undefined, zones: undefined }) as never,
    );
    const params = { id: credential };
    expect(await organization.admin.ok('getCredential', { params })).toMatchObject({ targets: [], zones: [] });
    const wanted = { targets: [host('10.0.0.7')], credentialIds: [credential] };
    const { id } = await create(organization.admin, wanted);
    expect((await read(organization, id)).status).toBe('requested');
    await organization.admin.ok('updateCredential', { params, body: { targets: wanted.targets } });
    const later = await create(organization.admin, wanted);
    expect((await read(organization, later.id)).status).toBe('scheduled');
  });

  test('targets that mean several things are refused', async () => {
    const { admin } = await system.newOrganization();
    const body = { name: 'x', kind: 'ssh' as const, username: 'x', secret, targets: [host('10.0.0.1-9')] };
    expect(await admin.call('createCredential', { body })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: [{ path: 'targets.0.value' }] },
    });
  });
});

test('the ids of credentials are shown to those who may use them, and to nobody else', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const { id: credential } = await newCredential(organization, bounds);
  const staff = await (await system.newOrganization()).withRole('platform_owner');
  const { account, client: tester } = await newAccount(system, staff, { name: 'Tester', role: 'pentester' });
  const { id } = await create(admin, {
    targets: [host('10.0.0.7')],
    credentialIds: [credential],
    memberIds: [account.id],
  });
  const [task] = (await admin.ok('listScannerTasks', { query: { engagementId: id } })).data;
  const params = { id };
  const viewer = await organization.withRole('viewer');
  const seen = [
    await viewer.ok('getEngagement', { params }),
    await viewer.ok('listEngagements'),
    await viewer.ok('listScannerTasks', { query: { engagementId: id } }),
    await viewer.ok('searchScannerTasks', { query: { search: 'network' } }),
    await viewer.ok('getScannerTask', { params: { id: task?.id ?? '' } }),
    await tester.ok('getEngagement', { params }),
    await tester.ok('listMyEngagements'),
  ];
  expect(JSON.stringify(seen)).not.toContain(credential);
  for (const client of [await organization.withRole('analyst'), await organization.apiKey(['scans:trigger'])]) {
    expect(await client.ok('getEngagement', { params })).toMatchObject({ credentialIds: [credential] });
    expect((await client.ok('listScannerTasks', { query: { engagementId: id } })).data).toMatchObject([
      { credentialIds: [credential] },
    ]);
  }
});
