import { afterAll, afterEach, expect, test } from 'vitest';
import { readOwnRestoration } from '#functions/people/organizations/restoration.ts';
import { openSecret } from '#functions/scanning/scan-credentials/secret.ts';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { parseKey } from '#shared/platform/auth/token-format.ts';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import { taskPlaces, taskRows } from '#shared/platform/jobs/task.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { shortId } from '#shared/platform/runtime/ids.ts';
import { COPIES_PREFIX } from '#shared/platform/table/upkeep/copies.ts';
import { callersOf } from '../support/every-route.ts';
import { bucketTexts, rowTexts } from '../support/everything-stored.ts';
import { newPool } from '../support/pools.ts';
import { recordsOf } from '../support/records.ts';
import { type TestOrganization, testSystem } from '../support/system.ts';
import { finished, until } from '../support/wait.ts';

const local = await startLocalSystem({ port: 0, checkResponses: true });
await bootstrap(local.connections);
afterAll(() => local.stop());
afterEach(() => setClock());
const { connections } = local;
const system = testSystem(local.baseUrl, connections);
const name = 'Test organization';

type Staff = Awaited<ReturnType<typeof newPool>>['staff'];

async function copyOf(staff: Staff, { organizationId }: TestOrganization): Promise<string> {
  const { taskId } = await staff.ok('copyOrganization', { params: { id: organizationId } });
  const task = await finished(staff, taskId);
  expect(task).toMatchObject({ status: 'succeeded', result: { copyId: taskId } });
  expect(task.result?.rows).toBeGreaterThan(0);
  return taskId;
}

/** Brings the organization back, over the two minutes in which nobody may write. */
async function restore({ provider }: Awaited<ReturnType<typeof newPool>>, organizationId: string, copyId: string) {
  // Of this organization the operation would be refused: among the records of all kinds are shared scanners.
  const { taskId } = await queueTask(
    { connections, table: provider.table },
    {
      operation: 'restore_organization',
      job: 'maintenance',
      unit: 'rows and objects',
      input: { work: 'restore', organizationId, copyId },
      send: { group: organizationId },
    },
  );
  return { taskId, held: await passQuiet(provider, taskId) };
}

/** Moves the clock, once a task waits until nobody can write any more. @returns the task as it waited */
async function passQuiet({ table }: TestOrganization, taskId: string) {
  const read = () => table.rows(taskRows).find({ id: taskId }, true);
  const held = await until(read, (task) => task?.status === 'queued' && task.checkpoint !== undefined);
  setClock(() => Date.now() + 180_000);
  return held;
}

const login = (clientId: string, secret: string) => {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret };
  return system.client().send('POST', '/api/v1/oauth/token', { body: form });
};

/** Made as an operator does, so that it has no maker. */
const secondOwner = ({ provider }: Awaited<ReturnType<typeof newPool>>) => provider.withRole('platform_owner');

const scopeRows = async ({ organizationId }: TestOrganization) =>
  (await rowTexts(connections)).filter((row) => row.includes(`"pk":"${shortId(organizationId)}#`));

test('an organization is as its copy was: what was lost is back, what came since is gone, and others go on', async () => {
  const [client, other] = [await system.newOrganization(), await system.newOrganization()];
  const pool = await newPool(system, [client, other]);
  await recordsOf(await callersOf(client));
  const { id: kept } = await client.admin.ok('createAsset', { body: { type: 'host', value: 'kept.example' } });
  const listed = await client.admin.ok('listAssets', {});
  const copyId = await copyOf(pool.staff, client);

  await client.admin.ok('deleteAsset', { params: { id: kept } });
  const { id: late } = await client.admin.ok('createAsset', { body: { type: 'host', value: 'late.example' } });
  const key = await client.admin.ok('createApiKey', { body: { name: 'late', scopes: ['assets:read'] } });
  const { taskId, held } = await restore(pool, client.organizationId, copyId);
  expect(held?.checkpoint).toMatchObject({ removal: { pass: 2 } });
  // machines repeat what is refused so; 401 would end them
  expect(await client.admin.call('listAssets', {})).toMatchObject({ status: 400, body: { code: 'limit_exceeded' } });
  expect(await other.admin.call('listAssets', {})).toMatchObject({ status: 200 });
  await sweep(connections);
  const task = await finished(pool.provider.admin, taskId);
  expect(task).toMatchObject({ status: 'succeeded', result: { taken: {} } });

  setClock(() => Date.now() + 300_000);
  expect(await client.admin.ok('getAsset', { params: { id: kept } })).toMatchObject({ value: 'kept.example' });
  expect(await client.admin.call('getAsset', { params: { id: late } })).toMatchObject({ body: { code: 'not_found' } });
  expect((await client.admin.ok('listAssets', {})).totalCount).toBe(listed.totalCount);
  expect(await system.client(() => key.secret).call('listAssets', {})).toMatchObject({ status: 401 });
  const [verify] = await client.table.rows(taskPlaces).query('maintenance_verify', { backward: true });
  const verified = await finished(client.admin, verify?.id ?? '');
  expect(verified).toMatchObject({ status: 'succeeded', result: { differences: [] } });
});

test('an organization that was deleted comes back from a copy that was kept elsewhere', async () => {
  const client = await system.newOrganization();
  const pool = await newPool(system, [client]);
  const { id } = await client.admin.ok('createAsset', { body: { type: 'host', value: 'kept.example' } });
  const copyId = await copyOf(pool.staff, client);
  const params = { id: client.organizationId };
  const wrong = { params, body: { copyId, name: 'Other' } };
  expect(await pool.staff.call('restoreOrganization', wrong)).toMatchObject({ body: { code: 'validation_failed' } });
  expect(await client.admin.call('restoreOrganization', wrong)).toMatchObject({ status: 401 });

  const copied = [...(await objectsBelow(`${COPIES_PREFIX}${client.organizationId}/`))];
  expect(copied.length).toBeGreaterThan(1);
  const { organizationId } = client;
  // after the days of grace (delete-organization.test.ts)
  const { taskId: deletion } = await queueTask(
    { connections, table: pool.provider.table },
    {
      operation: 'delete_organization',
      job: 'maintenance',
      unit: 'rows and objects',
      input: { work: 'delete', organizationId },
      send: { group: organizationId },
    },
  );
  await passQuiet(pool.provider, deletion);
  await sweep(connections);
  expect(await finished(pool.provider.admin, deletion)).toMatchObject({ status: 'succeeded' });
  expect(await scopeRows(client)).toEqual([]);
  expect(await objectsBelow(`${COPIES_PREFIX}${client.organizationId}/`)).toEqual([]);

  const again = { params, body: { copyId, name } };
  expect(await pool.staff.call('restoreOrganization', again)).toMatchObject({ body: { code: 'not_found' } });
  for (const [key, bytes] of copied) await connections.bucket.put(key, bytes);
  const request = await pool.staff.ok('restoreOrganization', again);
  expect(request).toMatchObject({ organizationId, copyId, requestedBy: { name: 'platform_owner' } });
  const { taskId } = await (await secondOwner(pool)).ok('approveOrganizationRestoration', again);
  expect(await finished(pool.provider.admin, taskId)).toMatchObject({ status: 'succeeded' });
  expect(await client.admin.ok('getAsset', { params: { id } })).toMatchObject({ value: 'kept.example' });
});

test('a restoration begins after a second person has approved the copy that was requested', async () => {
  const client = await system.newOrganization();
  const pool = await newPool(system, [client]);
  const second = await secondOwner(pool);
  const copyId = await copyOf(pool.staff, client);
  const request = { params: { id: client.organizationId }, body: { copyId, name } };
  const conflict = (message: RegExp) => ({
    status: 400,
    body: { code: 'conflict', message: expect.stringMatching(message) },
  });
  const early = await second.call('approveOrganizationRestoration', request);
  expect(early).toMatchObject(conflict(/Nobody requested/));
  await pool.staff.ok('restoreOrganization', request);
  expect(await pool.staff.call('approveOrganizationRestoration', request)).toMatchObject(conflict(/second person/));
  const own = await pool.staff.ok('createServiceAccount', { body: { name: 'own', role: 'platform_owner' } });
  const { access_token } = Object(await login(own.clientId, own.clientSecret)).body;
  const made = system.client(() => access_token);
  expect(await made.call('approveOrganizationRestoration', request)).toMatchObject(conflict(/second person/));
  const other = { ...request, body: { copyId: await copyOf(pool.staff, client), name } };
  expect(await second.call('approveOrganizationRestoration', other)).toMatchObject(conflict(/Nobody requested/));
  expect((await client.admin.ok('listAssets', {})).totalCount).toBe(0);
  const { taskId } = await second.ok('approveOrganizationRestoration', request);
  const task = await pool.provider.table.rows(taskRows).find({ id: taskId }, true);
  expect(task?.input).toMatchObject({ copyId, requestedBy: { name: 'platform_owner' } });
  expect(await second.call('approveOrganizationRestoration', request)).toMatchObject(conflict(/Nobody requested/));
  await passQuiet(pool.provider, taskId);
  await sweep(connections);
  expect(await finished(pool.provider.admin, taskId)).toMatchObject({ status: 'succeeded' });
});

test('the administrators of an organization see that its restoration is pending, and nobody else does', async () => {
  const [client, other] = [await system.newOrganization(), await system.newOrganization()];
  const pool = await newPool(system, [client, other]);
  const read = ({ admin }: TestOrganization) => admin.call('getOwnRestoration', {});
  const nothing = { status: 400, body: { code: 'not_found' } };
  expect(await read(client)).toMatchObject(nothing);
  const copyId = await copyOf(pool.staff, client);
  const request = { params: { id: client.organizationId }, body: { copyId, name } };
  const requested = await pool.staff.ok('restoreOrganization', request);
  const shown = await client.admin.ok('getOwnRestoration', {});
  expect(shown).toEqual({
    ...requested,
    copyAt: expect.any(String),
    message: expect.stringContaining('later data are lost'),
  });
  expect(shown.copyAt <= requested.requestedAt).toBe(true);
  for (const role of ['analyst', 'viewer'] as const) {
    const person = await client.withRole(role);
    expect(await person.call('getOwnRestoration', {})).toMatchObject({ status: 401 });
  }
  expect(await read(other)).toMatchObject(nothing);
  setClock(() => Date.now() + 86_400_000 + 60_000);
  expect(await readOwnRestoration({ connections, table: client.table }).catch(({ code }) => code)).toBe('not_found');
});

test('nothing comes back that was revoked, replaced or used since the copy, and the result names it', async () => {
  const client = await system.newOrganization();
  const pool = await newPool(system, [client]);
  const { admin } = client;
  const link = (linkToken: string) =>
    system.client().call('linkScanner', { body: { linkToken, name: 'scanner', instanceId: crypto.randomUUID() } });
  const key = await admin.ok('createApiKey', { body: { name: 'stolen', scopes: ['assets:read'] } });
  const left = await admin.ok('createServiceAccount', { body: { name: 'left', role: 'admin' } });
  const rotated = await admin.ok('createServiceAccount', { body: { name: 'rotated', role: 'viewer' } });
  const stays = await admin.ok('createApiKey', { body: { name: 'stays', scopes: ['assets:read'] } });
  const [once, twice] = [await client.linkToken('scanner'), await client.linkToken('scanner', { maxUses: 2 })];
  const ended = await admin.ok('createLinkToken', { body: { kind: 'scanner' } });
  const [gone, disabled] = [await client.scanner(), await client.scanner()];
  const secret = { token: 'leaked' };
  const body = { name: 'registry', kind: 'api_token' as const, secret, targets: [] };
  const { id: credentialId } = await admin.ok('createCredential', { body } as never);
  const feed = await admin.ok('createCalendarFeed');
  const copyId = await copyOf(pool.staff, client);

  await admin.ok('revokeApiKey', { params: { id: key.id } });
  await admin.ok('revokeServiceAccount', { params: { id: left.id } });
  const { clientSecret } = await admin.ok('rotateServiceAccountSecret', {
    params: { id: rotated.id },
    body: { overlapSeconds: 0 },
  });
  for (const token of [once, twice]) expect(await link(token)).toMatchObject({ status: 200 });
  await admin.ok('revokeLinkToken', { params: { id: ended.id } });
  await admin.ok('deleteScanner', { params: { id: gone.id } });
  await admin.ok('updateScanner', { params: { id: disabled.id }, body: { enabled: false } });
  await admin.ok('updateCredential', { params: { id: credentialId }, body: { secret: { token: 'new' } } } as never);
  await admin.ok('deleteCalendarFeed');
  const { taskId } = await restore(pool, client.organizationId, copyId);
  await sweep(connections);
  const task = await finished(pool.provider.admin, taskId);
  expect(task).toMatchObject({ status: 'succeeded', result: { secrets: { notRestored: 5 } } });
  const named = Object(task.result?.secrets).named.map(({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`);
  expect(named.toSorted()).toEqual(
    [
      ...[`api_key ${key.id}`, `service_account ${left.id}`, `link_token ${ended.id}`, `machine ${gone.id}`],
      `calendar-feed ${parseKey('exf', feed.token)?.id}`,
    ].toSorted(),
  );

  setClock(() => Date.now() + 300_000);
  expect(await system.client(() => key.secret).call('listAssets', {})).toMatchObject({ status: 401 });
  expect(await system.client(() => stays.secret).call('listAssets', {})).toMatchObject({ status: 200 });
  expect((await admin.ok('getApiKey', { params: { id: key.id } })).status).toBe('revoked');
  expect((await admin.ok('getServiceAccount', { params: { id: left.id } })).status).toBe('revoked');
  expect((await login(left.clientId, left.clientSecret)).status).not.toBe(200);
  expect((await login(rotated.clientId, rotated.clientSecret)).status).not.toBe(200);
  expect((await login(rotated.clientId, clientSecret)).status).toBe(200);
  for (const token of [once, ended.linkToken])
    expect(await link(token)).toMatchObject({ body: { code: 'invalid_link_token' } });
  expect(await link(twice)).toMatchObject({ status: 200 });
  expect(await link(twice)).toMatchObject({ body: { code: 'invalid_link_token' } });
  expect((await login(gone.clientId, gone.clientSecret)).status).not.toBe(200);
  const { enabled, status } = await admin.ok('getScanner', { params: { id: disabled.id } });
  expect({ enabled, status }).toEqual({ enabled: false, status: 'disabled' });
  await admin.ok('updateScanner', { params: { id: disabled.id }, body: { enabled: true } });
  expect(await openSecret({ connections, table: client.table }, credentialId)).toEqual({ token: 'new' });
  expect((await system.client().send('GET', feed.path)).status).toBe(401);
});

test('a copy brings back no deletion that was approved since, and ends none', async () => {
  const client = await system.newOrganization();
  const pool = await newPool(system, [client]);
  const second = await pool.provider.withRole('platform_owner');
  const copyId = await copyOf(pool.staff, client);
  const params = { id: client.organizationId };
  await pool.staff.ok('deleteOrganization', { params, body: { name } });
  const { deletionAt } = await second.ok('approveOrganizationDeletion', { params, body: { name } });
  const { taskId } = await restore(pool, client.organizationId, copyId);
  await sweep(connections);
  expect(await finished(pool.provider.admin, taskId)).toMatchObject({ status: 'succeeded' });
  setClock(() => Date.parse(deletionAt ?? '') + 1000);
  await sweep(connections);
  setClock();
  expect(await second.ok('getOrganizationDeletion', { params })).toMatchObject({ status: 'deleting' });
});

async function objectsBelow(prefix: string): Promise<[string, Uint8Array][]> {
  const keys = [...(await bucketTexts(connections)).keys()].filter((key) => key.startsWith(prefix));
  const read = keys.map(
    async (key): Promise<[string, Uint8Array]> => [key, (await connections.bucket.get(key)) ?? new Uint8Array()],
  );
  return Promise.all(read);
}
