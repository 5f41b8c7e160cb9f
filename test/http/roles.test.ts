import { beforeAll, describe, expect, test } from 'vitest';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { ofLevels } from '../support/access-rules.ts';
import type { Client, RequestOf } from '../support/client.ts';
import { newAccount } from '../support/engagements.ts';
import { everyOperation, type NamedRoute, parametersAs } from '../support/every-route.ts';
import { personIn } from '../support/people.ts';
import { entraUser } from '../support/scim.ts';
import { newAddress } from '../support/sign-in.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

/** Somebody with a role does what it opens, and nothing else; nobody makes a role that opens more than the own one. */
const system = startSystem();
let organization: TestOrganization;
let owner: Client;
beforeAll(async () => {
  organization = await system.newOrganization();
  owner = await organization.withRole('owner');
  const staff = await (await system.newOrganization()).withRole('platform_owner');
  const params = { id: organization.organizationId };
  await staff.ok('updateOrganizationLimits', { params, body: { requestsPerSecond: 100_000 } });
});

type RoleBody = NonNullable<RequestOf<'createRole'>['body']>;
const makeRole = (name: string, body: Omit<RoleBody, 'name'> = {}, by = organization.admin) =>
  by.ok('createRole', { body: { name, ...body } });
const holderOf = async (role: string, by = organization.admin) =>
  (await newAccount(system, by, { name: role, role })).client;
const tooLittle = { status: 401, body: { code: 'insufficient_scope' } };
const AT_ONCE = 16;

/** Whether the caller is admitted: the query or the body of the request is refused behind the check. */
async function admits(client: Client, route: NamedRoute): Promise<boolean> {
  const wrong = route.lenient ? route.body && { body: '{' } : { query: { surprise: 1 } };
  const request = { params: parametersAs(route, newId()), ...wrong };
  const { status, body } = await client.send(route.method, route.path, request);
  // SCIM has the status of RFC 7644 for a missing right
  return status !== 403 && Object(body).code !== 'insufficient_scope';
}

const forRoles = everyOperation.filter(({ access }) => typeof access === 'object' && (access.role ?? access.staff));
const opened = async (client: Client) => {
  const admitted = await eachAtOnce(forRoles, AT_ONCE, (route) => admits(client, route));
  return forRoles.filter((_, n) => admitted[n]).map(({ name }) => name);
};
const isReading = ({ method, readOnly }: NamedRoute) => method === 'GET' || readOnly === true;

describe('built-in roles', () => {
  test('come first, with their operations and holders', async () => {
    await organization.withRole('auditor');
    const { data } = await organization.admin.ok('listRoles', { query: { paginateSize: 5 } });
    expect(data.map(({ id, name, builtIn }) => [id, name, builtIn])).toEqual([
      ['viewer', 'Viewer', true],
      ['auditor', 'Auditor', true],
      ['analyst', 'Analyst', true],
      ['admin', 'Administrator', true],
      ['owner', 'Owner', true],
    ]);
    const [viewer, auditor, analyst, admin, head] = data.map(({ operations }) => new Set(operations));
    const reading = forRoles.filter(isReading).map(({ name }) => name);
    expect(auditor).toEqual(new Set(reading.filter((name) => admin?.has(name) || analyst?.has(name))));
    const missing = (of = new Set<string>(), within = new Set<string>()) => [...of].filter((name) => !within.has(name));
    expect([missing(viewer, analyst), missing(analyst, admin), missing(admin, head)]).toEqual([[], [], []]);
    expect(auditor).toContain('listAudit');
    expect(viewer).not.toContain('listAudit');
    expect(data.map(({ holders }) => holders)).toEqual([0, 1, 0, 1, 1]);
  });

  test('open the operations that they name over HTTP', async () => {
    const client = await organization.withRole('auditor');
    const { operations } = await organization.admin.ok('getRole', { params: { id: 'auditor' } });
    expect((await opened(client)).toSorted()).toEqual(operations.toSorted());
  });

  test('cannot change, and those of staff are listed for staff', async () => {
    const refused = { status: 400, body: { code: 'conflict' } };
    const params = { id: 'viewer' };
    expect(await owner.call('updateRole', { params, body: { name: 'All' } })).toMatchObject(refused);
    expect(await owner.call('deleteRole', { params })).toMatchObject(refused);
    const manager = await (await system.newOrganization()).withRole('manager');
    const listed = (await manager.ok('listRoles')).data.map(({ id }) => id);
    expect(listed.slice(-3)).toEqual(['pentester', 'manager', 'platform_owner']);
  });
});

describe('an owner', () => {
  test('is made by owners, and the first one by an administrator', async () => {
    const { admin } = await system.newOrganization();
    const { client } = await newAccount(system, admin, { name: 'Olga', role: 'owner' });
    const second = { name: 'Eve', role: 'owner' };
    expect(await admin.call('createServiceAccount', { body: second })).toMatchObject(tooLittle);
    const { id } = await client.ok('createServiceAccount', { body: second });
    expect(await admin.call('revokeServiceAccount', { params: { id } })).toMatchObject(tooLittle);
    expect(await admin.call('rotateServiceAccountSecret', { params: { id }, body: {} })).toMatchObject(tooLittle);
    await client.ok('revokeServiceAccount', { params: { id } });
  });

  test('is nobody with a custom role, also not the first', async () => {
    const { admin } = await system.newOrganization();
    const { id: role } = await makeRole('Office', { areas: { organization: 'manage' } }, admin);
    const office = await holderOf(role, admin);
    expect(await office.call('createServiceAccount', { body: { name: 'Eve', role: 'owner' } })).toMatchObject(
      tooLittle,
    );
  });
});

describe('a custom role', () => {
  const shop = { findings: 'write', scanning: 'approve', soc: 'none', organization: 'audit' } as const;
  const operator = { findings: 'read', vulnerabilities: 'none', ticketing: 'write' } as const;

  test.each([
    ['viewer', shop, ofLevels(shop, 'read')],
    ['admin', operator, ofLevels(operator, 'manage')],
  ] as const)(
    'based on %s opens over HTTP exactly the operations that it names, by its levels',
    async (basedOn, areas, may) => {
      const { id, operations, builtIn, holders } = await makeRole(`On ${basedOn}`, { basedOn, areas });
      expect({ builtIn, holders }).toEqual({ builtIn: false, holders: 0 });
      const wanted = forRoles.filter((route) => typeof route.access === 'object' && may(route.access, route));
      expect(operations.toSorted()).toEqual(wanted.map(({ name }) => name).toSorted());
      expect((await opened(await holderOf(id))).toSorted()).toEqual(operations.toSorted());
      expect((await organization.admin.ok('getRole', { params: { id } })).holders).toBe(1);
    },
  );

  test('has in each area what its level says', async () => {
    const areas = {
      findings: 'write',
      scanning: 'approve',
      soc: 'none',
      assets: 'manage',
      organization: 'audit',
    } as const;
    const { operations } = await makeRole('Levels', { areas });
    const opens = (names: string[]) => names.map((name) => operations.includes(name));
    expect(opens(['updateFindings', 'confirmHeldClosing', 'updateSlaPolicies'])).toEqual([true, false, false]);
    expect(opens(['approveEngagement', 'updateScanner'])).toEqual([true, false]);
    expect(opens(['listAlerts', 'createResponseAction'])).toEqual([false, false]);
    expect(opens(['mergeAssets', 'createZone'])).toEqual([true, true]);
    expect(opens(['listAudit', 'listApiKeys', 'createApiKey', 'updateOrganizationSettings'])).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(opens(['listTickets', 'createTicket'])).toEqual([true, false]);
  });

  test('copies another role, changes, and says who holds it before it is deleted', async () => {
    const base = await makeRole('Base', { basedOn: 'analyst', areas: { soc: 'none', findings: 'write' } });
    const copy = await makeRole('Copy', { basedOn: base.id, areas: { soc: 'read' } });
    expect(copy).toMatchObject({ basedOn: 'analyst', areas: { soc: 'read', findings: 'write' } });
    const params = { id: copy.id };
    const changed = await organization.admin.ok('updateRole', {
      params,
      body: { areas: { soc: null }, name: 'Copied' },
    });
    expect(changed).toMatchObject({ name: 'Copied', areas: { findings: 'write' }, version: 2 });
    expect(changed.operations).toContain('listAlerts');
    const { account } = await newAccount(system, organization.admin, { name: 'Ann', role: copy.id });
    const refused = await organization.admin.call('deleteRole', { params });
    expect(refused).toMatchObject({ status: 400, body: { code: 'conflict', message: expect.stringContaining('Ann') } });
    await organization.admin.ok('revokeServiceAccount', { params: { id: account.id } });
    await organization.admin.ok('deleteRole', { params });
    const again = { body: { name: 'Bob', role: copy.id } };
    expect(await organization.admin.call('createServiceAccount', again)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: [{ path: 'role' }] },
    });
  });

  test('has a name of its own, and there are 50 at most', async () => {
    const { admin } = await system.newOrganization();
    for (let n = 0; n < 50; n++) await makeRole(`Role ${n}`, {}, admin);
    expect(await admin.call('createRole', { body: { name: 'More' } })).toMatchObject({ body: { code: 'conflict' } });
    const { data } = await admin.ok('listRoles', { query: { paginateFrom: 5, paginateSize: 1 } });
    const params = { id: data[0]?.id ?? '' };
    await admin.ok('deleteRole', { params });
    expect(await admin.call('createRole', { body: { name: 'ROLE 3' } })).toMatchObject({ body: { code: 'conflict' } });
  });
});

describe('the holder of a custom role who manages the organization', () => {
  let office: Client;
  let held = '';
  beforeAll(async () => {
    held = (await makeRole('Front office', { areas: { organization: 'manage', soc: 'none' } })).id;
    office = await holderOf(held);
  });

  test('gives and changes roles within the own one only', async () => {
    const account = (role: string) => office.call('createServiceAccount', { body: { name: 'Eve', role } });
    for (const role of ['viewer', 'analyst', 'auditor', 'admin'])
      expect(await account(role), role).toMatchObject(tooLittle);
    expect(await account(held)).toMatchObject({ status: 200 });
    const role = (areas: RoleBody['areas']) => office.call('createRole', { body: { name: newId(), areas } });
    expect(await role({ findings: 'write', soc: 'none' })).toMatchObject(tooLittle);
    expect(await role({ soc: 'read' })).toMatchObject(tooLittle);
    expect(await role({ organization: 'audit', soc: 'none' })).toMatchObject({ status: 200 });
    const areas = { organization: 'manage', soc: 'none', findings: 'approve' } as const;
    expect(await office.call('updateRole', { params: { id: held }, body: { areas } })).toMatchObject(tooLittle);
    const { id } = await makeRole('Above');
    expect(await office.call('deleteRole', { params: { id } })).toMatchObject(tooLittle);
  });

  test('makes no key or machine that opens more', async () => {
    const key = (scopes: ('findings:read' | 'findings:write' | 'soc:read')[]) =>
      office.call('createApiKey', { body: { name: 'CI', scopes } });
    expect(await key(['findings:read'])).toMatchObject({ status: 200 });
    expect(await key(['findings:read', 'findings:write'])).toMatchObject(tooLittle);
    expect(await key(['soc:read'])).toMatchObject(tooLittle);
    expect(await office.call('createLinkToken', { body: { kind: 'scanner' } })).toMatchObject(tooLittle);
  });

  test('adds no viewers as a directory, who may do more', async () => {
    const body = entraUser(newAddress());
    const headers = { 'content-type': 'application/scim+json' };
    expect(await office.send('POST', '/scim/v2/Users', { body, headers })).toMatchObject({ status: 403 });
    expect((await organization.admin.ok('searchUsers', { query: { search: 'user' } })).totalCount).toBe(0);
  });

  test('takes over no account that may do more', async () => {
    const { account } = await newAccount(system, organization.admin, { name: 'Chief', role: 'admin' });
    const params = { id: account.id };
    expect(await office.call('rotateServiceAccountSecret', { params, body: {} })).toMatchObject(tooLittle);
    expect(await office.call('revokeServiceAccount', { params })).toMatchObject(tooLittle);
  });
});

test('a risk is accepted by those whose role approves in the area, also as the named approver', async () => {
  const { admin } = organization;
  const approves = await makeRole('Approves', { basedOn: 'viewer', areas: { findings: 'approve' } });
  const writes = await makeRole('Writes', { basedOn: 'analyst', areas: { findings: 'write' } });
  const [approver, writer] = await Promise.all(
    [approves, writes].map(({ id, name }) => newAccount(system, admin, { name, role: id })),
  );
  const { id } = await admin.ok('createFinding', {
    body: { title: 'Old TLS', severity: 'low', asset: { type: 'host', value: 'shop.example' } },
  });
  const accept = (client: Client | undefined, more: object = {}) =>
    client?.call('updateFinding', { params: { id }, body: { status: 'risk_accepted', reason: 'legacy', ...more } });
  const refused = { status: 400, body: { code: 'validation_failed', details: [{ path: 'approverId' }] } };
  expect(await accept(writer?.client)).toMatchObject(refused);
  expect(await accept(admin, { approverId: writer?.account.id })).toMatchObject(refused);
  expect(await accept(writer?.client, { approverId: approver?.account.id })).toMatchObject({ status: 200 });
  expect(await accept(approver?.client)).toMatchObject({ status: 200 });
});

test('who sees nothing of an area sees neither its tasks nor its changes', async () => {
  const { admin } = organization;
  const { id } = await makeRole('Only SOC', {
    basedOn: 'viewer',
    areas: { findings: 'none', assets: 'none', soc: 'write' },
  });
  const client = await holderOf(id);
  const { taskId } = await admin.ok('exportFindings', { body: { format: 'csv' } });
  expect(await client.call('getTask', { params: { id: taskId } })).toMatchObject({ body: { code: 'not_found' } });
  const { data } = await client.ok('listTasks');
  expect(data.filter(({ operation }) => operation === 'export_findings')).toEqual([]);
  const filter = (entity: 'finding' | 'alert') =>
    client.call('checkFilter', { body: { entity, filter: 'severity:high' } });
  expect(await filter('alert')).toMatchObject({ status: 200 });
  expect(await filter('finding')).toMatchObject(tooLittle);
});

describe('people', () => {
  test('have roles that their organization made, and keep them from being deleted', async () => {
    const { admin } = organization;
    const role = await makeRole('Reads findings', { basedOn: 'viewer', areas: { soc: 'none' } });
    const person = await personIn(system, organization, { role: role.id, name: 'Ana Lima' });
    expect(await person.client.call('listFindings')).toMatchObject({ status: 200 });
    expect(await person.client.call('listAlerts')).toMatchObject(tooLittle);
    const params = { id: role.id };
    expect((await admin.ok('getRole', { params })).holders).toBe(1);
    expect(await admin.call('deleteRole', { params })).toMatchObject({
      body: { code: 'conflict', message: expect.stringContaining('Ana Lima') },
    });
    await admin.ok('updateUser', { params: { id: person.id }, body: { roles: [{ roleId: 'viewer' }] } });
    await admin.ok('deleteRole', { params });
    const roles = [{ roleId: role.id }];
    expect(await admin.call('updateUser', { params: { id: person.id }, body: { roles } })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: [{ path: 'roles.0.roleId' }] },
    });
  });

  test('who are the only owner stay it, and only owners make owners', async () => {
    const home = await system.newOrganization();
    const first = await personIn(system, home, { role: 'owner' });
    const roles = (roleId: string) => ({ roles: [{ roleId }] });
    const params = { id: first.id };
    expect(await home.admin.call('updateUser', { params, body: roles('viewer') })).toMatchObject(tooLittle);
    expect(await home.admin.call('deactivateUser', { params })).toMatchObject(tooLittle);
    const second = await personIn(system, home, { role: 'analyst' });
    const promotion = { params: { id: second.id }, body: roles('owner') };
    expect(await home.admin.call('updateUser', promotion)).toMatchObject(tooLittle);
    expect(await first.client.call('updateUser', { params, body: roles('admin') })).toMatchObject({
      status: 400,
      body: { code: 'conflict' },
    });
    await first.client.ok('updateUser', promotion);
    await first.client.ok('updateUser', { params, body: roles('admin') });
  });

  test('of two owners who end each other at the same moment one stays', async () => {
    const home = await system.newOrganization();
    const first = await personIn(system, home, { role: 'owner' });
    const second = await personIn(system, home);
    await first.client.ok('updateUser', { params: { id: second.id }, body: { roles: [{ roleId: 'owner' }] } });
    const suspended = await Promise.all([
      first.client.call('suspendUser', { params: { id: second.id } }),
      second.client.call('suspendUser', { params: { id: first.id } }),
    ]);
    expect(suspended.map(({ status }) => status).toSorted()).not.toEqual([200, 200]);
    expect(
      (await home.admin.ok('listUsers', { query: { roleId: 'owner', status: 'active' } })).totalCount,
    ).toBeGreaterThan(0);
  });
});

test('a preview of a changed role names exactly the operations and the people that the change concerns', async () => {
  const mine = await system.newOrganization();
  const role = await makeRole('Triage', { basedOn: 'analyst' }, mine.admin);
  const params = { id: role.id };
  await personIn(system, mine, { role: role.id });
  await holderOf(role.id, mine.admin);
  const body = { basedOn: 'viewer' as const, areas: { findings: 'manage' as const } };
  const preview = await mine.admin.ok('previewRole', { params, body });
  const { operations } = await mine.admin.ok('getRole', { params });
  expect(operations).toEqual(role.operations);
  expect([preview.holders, preview.users]).toEqual([2, { invited: 0, active: 1, suspended: 0 }]);
  const listed = await mine.admin.send('GET', preview.links.list['users.active'] ?? '', {});
  expect(listed.body).toMatchObject({ totalCount: 1 });
  const changed = await mine.admin.ok('updateRole', { params, body });
  const without = (some: string[], others: string[]) => some.filter((name) => !others.includes(name));
  expect(preview.gained).toEqual(without(changed.operations, operations));
  expect(preview.lost).toEqual(without(operations, changed.operations));
  expect([preview.gained.length > 0, preview.lost.length > 0]).toEqual([true, true]);
});
