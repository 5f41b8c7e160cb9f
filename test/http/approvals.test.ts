import { beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '#shared/platform/auth/permissions.ts';
import { sarif } from '../functions/workers/imports/reports.ts';
import type { Client } from '../support/client.ts';
import { create } from '../support/engagements.ts';
import { routes } from '../support/every-route.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { follow } from '../support/vulnerabilities.ts';
import { until } from '../support/wait.ts';

const system = startSystem();
let organization: TestOrganization;
let key: Client;
/** An account's own key, made through the interface. */
async function keyOf(account: Client, scopes: Scope[]): Promise<Client> {
  const { secret } = await account.ok('createApiKey', { body: { name: 'own key', scopes } });
  return system.client(() => secret);
}

beforeAll(async () => {
  organization = await system.newOrganization();
  key = await organization.apiKey(['findings:read', 'findings:write', 'vulnerabilities:write', 'vulnerabilities:read']);
});

const declared = (kind: true | 'risks') =>
  routes.filter(({ access }) => typeof access === 'object' && access.approves === kind).map(({ name }) => name);

describe('the operations that approve', () => {
  test('are declared, and no API key is admitted to those that always approve', () => {
    expect(declared(true).toSorted()).toEqual([
      'approveApexTask',
      'approveEngagement',
      'approveOrganizationDeletion',
      'approveOrganizationRestoration',
      'approveResponseAction',
      'confirmHeldClosing',
    ]);
    expect(declared('risks').toSorted()).toEqual(Object.keys(accepting).toSorted());
    for (const { access, name } of routes.filter(({ name }) => declared(true).includes(name)))
      expect(Object(access).scope, `${name} names a scope, as if a key could approve`).toBe(undefined);
  });

  /** Operations whose text speaks of approval, and that give none. */
  const NO_APPROVAL = [
    ...['createResponseAction', 'denyResponseAction', 'leaseResponseActions', 'listResponseActions'],
    ...['acceptMergeSuggestion', 'rejectEngagement', 'denyApexTask'],
    ...['acceptInvitation', 'confirmEnrolment', 'confirmPasskeyEnrolment', 'confirmTotp', 'approveDeviceCode'],
    'requestConfirmation',
  ];

  test('are all that say so', () => {
    const speaking = routes.filter(({ name }) => /approve|accept|confirm/i.test(name)).map(({ name }) => name);
    expect(speaking.filter((name) => !declared(true).includes(name) && !NO_APPROVAL.includes(name))).toEqual([]);
  });
});

const accept = { status: 'risk_accepted' as const, reason: 'not reachable' };

/** A request of each operation that may accept a risk. The answer's status is 400 where it accepts none. */
const accepting: Record<string, (client: Client, more: object) => Promise<{ status: number; body: unknown }>> = {
  updateFinding: async (client, more) =>
    client.call('updateFinding', { params: { id: await newFinding() }, body: { ...accept, ...more } }),
  updateFindings: async (client, more) => {
    const { reason, ...changes } = accept;
    return client.call('updateFindings', { body: { ids: [await newFinding()], changes, reason, ...more } });
  },
  updateVulnerability: async (client, more) => {
    return client.call('updateVulnerability', {
      params: { id: await newVulnerability() },
      body: { ...accept, ...more },
    });
  },
  updateVulnerabilities: async (client, more) =>
    client.call('updateVulnerabilities', { body: { ids: [await newVulnerability()], changes: accept, ...more } }),
  createFindingRule: (client) => client.call('createFindingRule', { body: rule }),
  updateFindingRule: async (client) => {
    const { id } = await organization.admin.ok('createFindingRule', { body: { ...rule, status: 'false_positive' } });
    return client.call('updateFindingRule', { params: { id }, body: { status: 'risk_accepted' } });
  },
};

const rule = { name: 'x', conditions: { ruleId: 'nothing-has-it' }, status: accept.status, reason: accept.reason };

let counter = 0;
async function newFinding(): Promise<string> {
  counter += 1;
  const content = sarif([{ rule: `CVE-2021-${40_000 + counter}`, file: 'pom.xml' }], { tool: `tool-${counter}` });
  const body = { format: 'sarif', content, repository: `https://git.example.com/acme/shop-${counter}` };
  await organization.admin.ok('importFindings', { query: { waitSeconds: 20 }, body });
  return (await organization.admin.ok('listFindings')).data[0]?.id ?? '';
}
/** A vulnerability whose risk nobody has accepted, once the views show one. */
async function newVulnerability(): Promise<string> {
  await newFinding();
  const openOne = async () => {
    await follow({ connections: system.connections, table: organization.table });
    return (await organization.admin.ok('listVulnerabilities')).data.find(({ status }) => status === 'open');
  };
  return (await until(openOne, (found) => found !== undefined))?.id ?? '';
}

describe('a risk is accepted by an account that decides on findings', () => {
  test.each(Object.keys(accepting))('%s: not by an API key', async (name) => {
    const request = accepting[name];
    const answer = await request?.(key, {});
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(JSON.stringify(answer?.body)).toContain('an API key approves nothing');
    const analyst = await organization.withRole('analyst');
    expect(await request?.(analyst, {})).toMatchObject({ status: 200 });
  });

  test.each(['updateFinding', 'updateFindings', 'updateVulnerability', 'updateVulnerabilities'])(
    '%s: a key names the account that approves, which must be one that may',
    async (name) => {
      const account = async (role: 'viewer' | 'analyst') =>
        (await organization.admin.ok('createServiceAccount', { body: { name: role, role } })).id;
      const request = accepting[name];
      expect(await request?.(key, { approverId: await account('analyst') })).toMatchObject({ status: 200 });
      const refused = { status: 400, body: { details: [{ path: 'approverId' }] } };
      expect(await request?.(key, { approverId: await account('viewer') })).toMatchObject(refused);
      const revoked = await account('analyst');
      await organization.admin.ok('revokeServiceAccount', { params: { id: revoked } });
      expect(await request?.(key, { approverId: revoked })).toMatchObject(refused);
    },
  );

  test('a key neither makes an acceptance last longer nor changes a rule that accepts', async () => {
    const params = { id: await newFinding() };
    await organization.admin.ok('updateFinding', {
      params,
      body: { ...accept, acceptedUntil: '2099-01-01T00:00:00Z' },
    });
    for (const acceptedUntil of ['2199-01-01T00:00:00Z', null])
      expect(await key.call('updateFinding', { params, body: { acceptedUntil } })).toMatchObject({ status: 400 });
    const { id } = await organization.admin.ok('createFindingRule', { body: { ...rule, enabled: false } });
    expect(await key.call('updateFindingRule', { params: { id }, body: { enabled: true } })).toMatchObject({
      status: 400,
    });
  });

  test('a key decides on all else as before', async () => {
    const params = { id: await newFinding() };
    expect(await key.ok('updateFinding', { params, body: { status: 'in_progress' } })).toMatchObject({
      status: 'in_progress',
    });
  });
});

describe('an API key is no second person', () => {
  const scopes: Scope[] = ['soc:read', 'soc:write', 'scans:trigger'];
  const ask = async (client: Client) => {
    const incident = await client.ok('createIncident', { body: { title: 'Web shell', severity: 'high' } });
    const body = { type: 'isolate_host', target: { type: 'host', value: 'web-01' } } as const;
    return client.ok('createResponseAction', { params: { id: incident.id }, body: body as never });
  };
  const denied = {
    status: 401,
    body: { code: 'insufficient_scope', message: expect.stringContaining('approves nothing') },
  };

  test('it approves no response action, and the account that made it does not approve what it asked', async () => {
    const own = await keyOf(organization.admin, scopes);
    const { id } = await ask(own);
    const approve = (client: Client) => client.call('approveResponseAction', { params: { id }, body: {} });
    expect(await approve(await organization.apiKey(scopes))).toMatchObject(denied);
    expect(await approve(organization.admin)).toMatchObject({ status: 400, body: { code: 'conflict' } });
    expect(await approve(await organization.withRole('analyst'))).toMatchObject({ status: 200 });
  });

  test('nor exploitation that its key planned', async () => {
    const own = await keyOf(organization.admin, scopes);
    const { id } = await create(own, { rulesOfEngagement: { allowExploitation: true } });
    const params = { id };
    expect(await organization.admin.call('approveEngagement', { params })).toMatchObject({
      body: { code: 'conflict' },
    });
    const second = await organization.withRole('admin');
    expect(await second.ok('approveEngagement', { params })).toMatchObject({ status: 'approved' });
  });

  test('an engagement of a key that needs no approval names nobody who approved', async () => {
    const { id } = await create(await organization.apiKey(scopes), {});
    const engagement = await organization.admin.ok('getEngagement', { params: { id } });
    expect(engagement.requestedBy.name).toBe('test');
    expect(engagement.approvedBy).toBe(undefined);
  });

  test('it confirms no closing that is held', async () => {
    const confirm = await key.call('confirmHeldClosing', { params: { taskId: crypto.randomUUID() } });
    expect(confirm).toMatchObject(denied);
  });
});
