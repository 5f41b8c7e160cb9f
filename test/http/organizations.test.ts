import { beforeAll, describe, expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import type { Client } from '../support/client.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { addFinding, follow, log4j } from '../support/vulnerabilities.ts';

/** The provider's staff manage its clients without a shell. */
const system = startSystem();
let provider: TestOrganization;
const owner = { email: 'first@client.example', name: 'Ana First' };
let head: Client;
let manager: Client;
beforeAll(async () => {
  provider = await system.newOrganization();
  [head, manager] = await Promise.all([provider.withRole('platform_owner'), provider.withRole('manager')]);
});

const named = (name: string) => `${name} ${crypto.randomUUID().slice(0, 8)}`;
const refusedAs = (code: string) => ({ body: { code } });

describe('the organizations of a deployment', () => {
  test('that begin at once with one name all get a slug of their own', async () => {
    const name = named('Twins');
    const made = await Promise.all([1, 2, 3].map(() => head.ok('createOrganization', { body: { owner, name } })));
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(3);
  });

  test('are read by managers, changed by platform owners and open to nobody else', async () => {
    const client = await system.newOrganization();
    const params = { id: client.organizationId };
    const reason = 'test';
    for (const who of [client.admin, await provider.withRole('pentester')])
      for (const name of ['listOrganizations', 'getOrganizationOverview', 'listOrganizationTemplates'] as const)
        expect(await who.call(name), name).toMatchObject(refusedAs('insufficient_scope'));
    expect(await manager.ok('getOrganization', { params })).toMatchObject({
      id: client.organizationId,
      name: 'Test organization',
      slug: null,
      status: 'active',
      plan: null,
      suspension: null,
      deletionAt: null,
    });
    const attempts = [
      manager.call('createOrganization', { body: { owner, name: 'Acme' } }),
      manager.call('updateOrganization', { params, body: { name: 'Acme' } }),
      manager.call('suspendOrganization', { params, body: { reason } }),
      manager.call('resumeOrganization', { params }),
      manager.call('createOrganizationTemplate', { body: { name: 'Retail' } }),
    ];
    for (const answer of await Promise.all(attempts)) expect(answer).toMatchObject(refusedAs('insufficient_scope'));
  });

  test('are made with a short name that no other one has', async () => {
    const name = named('Åcme & Söhne');
    const first = await head.ok('createOrganization', { body: { owner, name, plan: 'Gold' } });
    expect(first).toMatchObject({ name, plan: 'Gold', status: 'active', template: null });
    expect(first.slug).toMatch(/^a-?cme-so-?hne-[0-9a-f]{8}$/);
    const second = await head.ok('createOrganization', { body: { owner, name } });
    expect(second.slug).toMatch(RegExp(`^${first.slug}-[0-9a-f]{8}$`));
    const taken = { code: 'conflict', details: [{ path: 'slug' }] };
    expect(await head.call('createOrganization', { body: { owner, name, slug: first.slug } })).toMatchObject({
      body: taken,
    });
    const params = { id: second.id };
    expect(await head.call('updateOrganization', { params, body: { slug: first.slug } })).toMatchObject({
      body: taken,
    });
    expect(await head.call('createOrganization', { body: { owner, name, slug: 'Not-Small' } })).toMatchObject(
      refusedAs('validation_failed'),
    );
  });

  test('are renamed, get a plan and limits, and their administrators see who changed what', async () => {
    const { id, version } = await head.ok('createOrganization', { body: { owner, name: named('Before') } });
    const client = await system.enter(id);
    expect((await client.admin.ok('listUsers')).data).toMatchObject([
      { ...owner, status: 'invited', roles: [{ roleId: 'owner' }] },
    ]);
    const params = { id };
    const name = named('After');
    const changed = await head.ok('updateOrganization', {
      params,
      body: { name, plan: 'Gold', limits: { linkTokens: 7 }, version },
    });
    expect(changed).toMatchObject({
      name,
      plan: 'Gold',
      version: version + 1,
      limits: { linkTokens: 7, openUploads: 1000 },
    });
    expect(await head.ok('getOrganizationLimits', { params })).toEqual(changed.limits);
    expect(await head.call('updateOrganization', { params, body: { plan: null, version } })).toMatchObject({
      body: { code: 'conflict', current: { version: version + 1 } },
    });
    expect(
      await head.ok('updateOrganization', { params, body: { limits: { linkTokens: null }, plan: null } }),
    ).toMatchObject({
      plan: null,
      limits: { linkTokens: 500 },
    });
    const entries = async () => (await client.admin.ok('listAudit', { query: { entity: 'organization', id } })).data;
    await expect
      .poll(entries, { timeout: 20_000 })
      .toMatchObject([
        { operation: 'updateOrganization' },
        { operation: 'updateOrganization', fields: { plan: { to: 'Gold' } }, actor: { name: 'platform_owner' } },
        { operation: 'createOrganization' },
      ]);
  });

  test('are found by name, short name and status', async () => {
    const name = named('Findable');
    const trialEndsAt = new Date(Date.now() + 86_400_000).toISOString();
    const { id, slug } = await head.ok('createOrganization', { body: { owner, name, trialEndsAt } });
    const search = name.split(' ')[1] ?? '';
    const ids = async (query: { search: string; status?: 'trial' | 'active' | 'suspended' | 'deleting' }) =>
      (await manager.ok('searchOrganizations', { query })).data.map((one) => one.id);
    const isListed = async (status: 'trial' | 'active' | 'suspended') =>
      (await manager.ok('listOrganizations', { query: { status, ids: [id] } })).data.length === 1;
    expect(await ids({ search })).toEqual([id]);
    expect(await ids({ search: `"${slug}"` })).toEqual([id]);
    expect(await ids({ search, status: 'trial' })).toEqual([id]);
    expect(await ids({ search, status: 'active' })).toEqual([]);
    const params = { id };
    await head.ok('suspendOrganization', { params, body: { reason: 'No payment' } });
    expect(await ids({ search, status: 'suspended' })).toEqual([id]);
    expect([await isListed('suspended'), await isListed('trial'), await isListed('active')]).toEqual([
      true,
      false,
      false,
    ]);
    await head.ok('updateOrganization', { params, body: { trialEndsAt: null } });
    await head.ok('resumeOrganization', { params });
    expect(await ids({ search, status: 'active' })).toEqual([id]);
    expect([await isListed('suspended'), await isListed('trial'), await isListed('active')]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('show a deletion from its approval on', async () => {
    const name = named('Leaving');
    const { id } = await head.ok('createOrganization', { body: { owner, name } });
    const params = { id };
    await head.ok('deleteOrganization', { params, body: { name } });
    expect(await head.ok('getOrganization', { params })).toMatchObject({ status: 'active', deletionAt: null });
    const second = await provider.withRole('platform_owner');
    const { deletionAt } = await second.ok('approveOrganizationDeletion', { params, body: { name } });
    expect(await head.ok('getOrganization', { params })).toMatchObject({ status: 'deleting', deletionAt });
    expect((await manager.ok('listOrganizations', { query: { status: 'deleting', ids: [id] } })).totalCount).toBe(1);
    await head.ok('cancelOrganizationDeletion', { params });
    expect(await head.ok('getOrganization', { params })).toMatchObject({ status: 'active', deletionAt: null });
  });
});

test('the view over clients equals the own dashboards of each client', async () => {
  const client = await system.newOrganization();
  const { admin, table } = client;
  const long = new Date(Date.now() - 40 * 86_400_000).toISOString();
  await table.create(findings, findingDraft(long, { severity: 'critical' }));
  await table.create(findings, findingDraft(new Date().toISOString(), { severity: 'high' }));
  await addFinding(table, log4j());
  await follow({ connections: system.connections, table });
  await client.scanner();
  const own = await admin.ok('getSystemOverview');
  const { summary } = await manager.ok('getOrganization', { params: { id: client.organizationId } });
  expect(summary).toMatchObject({
    assets: own.assets.total,
    findingsOpen: own.findings.openBySeverity,
    overdue: own.findings.overdue,
    kevOpen: own.vulnerabilities.kevOpen,
    scannersOffline: own.scanners.byStatus.offline,
    scannersOutdated: own.scanners.outdated,
    integrationsFailed: own.integrations.byStatus.failed,
    poolMinutes30d: 0,
    lastImportAt: null,
  });
  expect(summary.findingsOpen.critical).toBeGreaterThan(0);
  expect(summary.overdue).toBeGreaterThan(0);
  const { data } = await manager.ok('getOrganizationOverview', { query: { ids: [client.organizationId] } });
  expect(data).toEqual([
    { id: client.organizationId, name: 'Test organization', slug: null, status: 'active', summary },
  ]);
});
