import { expect, test } from 'vitest';
import { credentials } from '#shared/platform/auth/credential.ts';
import { MACHINE_KINDS } from '#shared/platform/auth/permissions.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable } from '#shared/platform/table/table.ts';
import type { OperationName } from '../support/client.ts';
import { exampleBody, exampleQuery, paramNames, routes } from '../support/every-route.ts';
import { linkingTo } from '../support/linking.ts';
import { startSystem, type TestMachine, type TestOrganization } from '../support/system.ts';

const system = startSystem();
const { login } = linkingTo(system);
const upload = { sizeBytes: 1, sha256: 'a'.repeat(64) };

/** The caller that somebody has who copied an access token. */
async function thiefOf({ clientId, clientSecret }: Pick<TestMachine, 'clientId' | 'clientSecret'>) {
  const { body } = await login(clientId, clientSecret);
  return system.client(() => String(Object(body).access_token));
}

const ends: [string, (organization: TestOrganization, machine: TestMachine) => Promise<unknown>][] = [
  ['a rotation without overlap', (_, { client }) => client.ok('rotateMachineSecret', { body: { overlapSeconds: 0 } })],
  [
    'linking again',
    async (organization, { clientId, clientSecret }) => {
      const linkToken = await organization.linkToken('scanner');
      const body = { linkToken, name: 'north', clientId, clientSecret };
      return system.client().ok('linkScanner', { body });
    },
  ],
  ['disabling', ({ admin }, { id }) => admin.ok('updateScanner', { params: { id }, body: { enabled: false } })],
];

test.each(ends)('%s ends the access tokens that a machine got before', async (_, end) => {
  const organization = await system.newOrganization();
  const machine = await organization.scanner();
  const thief = await thiefOf(machine);
  const poll = { body: { capacity: 0 } };
  await thief.ok('leaseScannerTasks', poll);
  const after = Object(await end(organization, machine));
  expect(await thief.call('leaseScannerTasks', poll)).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  // in the same second
  const own = await thiefOf({ clientId: machine.clientId, clientSecret: after.clientSecret ?? machine.clientSecret });
  expect(await own.call('leaseScannerTasks', poll)).toMatchObject({ status: 200 });
});

test('an ended access token makes no secret in the minute in which functions still accept it', async () => {
  const organization = await system.newOrganization();
  const machine = await organization.scanner();
  const thief = await thiefOf(machine);
  await thief.ok('leaseScannerTasks', { body: { capacity: 0 } });
  // as another process ends the tokens, of which this one does not hear
  const rows = organization.table.rows(credentials);
  await rows.set({ id: machine.id }, { generation: 1 });
  await thief.ok('leaseScannerTasks', { body: { capacity: 0 } });
  expect(await thief.call('rotateMachineSecret', { body: {} })).toMatchObject({
    status: 401,
    body: { code: 'unauthorized' },
  });
  expect((await rows.find({ id: machine.id }, true))?.secrets).toHaveLength(1);
});

test('a rotation without overlap ends the access tokens of a service account, and one with overlap does not', async () => {
  const organization = await system.newOrganization();
  const account = await organization.admin.ok('createServiceAccount', { body: { name: 'night', role: 'viewer' } });
  const thief = await thiefOf(account);
  const rotate = (overlapSeconds: number) =>
    organization.admin.ok('rotateServiceAccountSecret', { params: { id: account.id }, body: { overlapSeconds } });
  await rotate(60);
  await thief.ok('listConfig');
  const { clientId, clientSecret } = await rotate(0);
  expect(await thief.call('listConfig')).toMatchObject({ status: 401 });
  await (await thiefOf({ clientId, clientSecret })).ok('listConfig');
});

const forbidden: ['scanner' | 'apex', OperationName, OperationName & `update${string}`][] = [
  ['scanner', 'createScannerUpload', 'updateScanner'],
  ['apex', 'createApexUpload', 'updateAppliance'],
];

test.each(forbidden)('a disabled %s can neither upload nor rotate its secret', async (kind, create, update) => {
  const organization = await system.newOrganization();
  const machine = await organization.machine(kind);
  const { uploadId } = Object(await machine.client.ok(create, { body: upload } as never));
  const enable = (enabled: boolean) =>
    organization.admin.ok(update, { params: { id: machine.id }, body: { enabled } } as never);
  await enable(false);
  const disabled = await thiefOf(machine);
  const refused = { status: 401, body: { code: 'insufficient_scope', message: expect.stringContaining('enabled') } };
  expect(await disabled.call(create, { body: upload } as never)).toMatchObject(refused);
  const read = { params: { id: uploadId } } as never;
  expect(await disabled.call(create.replace('create', 'get') as OperationName, read)).toMatchObject(refused);
  expect(await disabled.call('rotateMachineSecret', { body: {} })).toMatchObject(refused);
  await enable(true);
  const enabled = await thiefOf(machine);
  await enabled.ok(create, { body: upload } as never);
  await enabled.ok('rotateMachineSecret', { body: {} });
});

test('a disabled machine that links again stays disabled', async () => {
  const organization = await system.newOrganization();
  const machine = await organization.scanner();
  await organization.admin.ok('updateScanner', { params: { id: machine.id }, body: { enabled: false } });
  const { clientId, clientSecret } = machine;
  const body = { linkToken: await organization.linkToken('scanner'), name: 'north', clientId, clientSecret };
  const again = await thiefOf(await system.client().ok('linkScanner', { body }));
  expect(await again.call('createScannerUpload', { body: upload })).toMatchObject({ status: 401 });
});

test('a disabled machine may finish and report what it holds, and nothing else', async () => {
  const organization = await system.newOrganization();
  const admitted: string[] = [];
  const machines = await Promise.all(
    MACHINE_KINDS.map(async (kind) => {
      const { id, client } = await organization.machine(kind);
      const rows = openTable(system.connections.dynamo, organization.organizationId).rows(credentials);
      await rows.set({ id }, { disabled: true, generation: 1 });
      return { kind, client };
    }),
  );
  for (const route of routes) {
    const { access, name } = route;
    for (const { kind, client } of machines) {
      if (access === 'public' || (typeof access === 'object' && !access.machines?.includes(kind))) continue;
      const params = Object.fromEntries(paramNames(route).map((param) => [param, newId()]));
      const request = { params, body: exampleBody(route), query: exampleQuery(route) };
      const { status, body } = await client.send(route.method, route.path, request);
      const code: unknown = Reflect.get(Object(body), 'code');
      if (status === 401 && code === 'insufficient_scope') expect(Object(body).message).toMatch(/is disabled: /);
      else admitted.push(name);
    }
  }
  expect(admitted.toSorted()).toEqual([
    'completeApexTasks',
    'completeResponseActions',
    'completeScannerTasks',
    'leaseApexTasks',
    'leaseResponseActions',
    'leaseScannerTasks',
    'reportAgent',
    'reportApexFindings',
    'updateApexSession',
  ]);
});
