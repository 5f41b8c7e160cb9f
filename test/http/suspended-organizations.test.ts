import { afterAll, afterEach, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { create, read } from '../support/engagements.ts';
import { engageInPool, newPool, takeTasks } from '../support/pools.ts';
import { type TestOrganization, testSystem } from '../support/system.ts';

/** A suspended client is served nowhere, loses nothing, and goes on where it was. */
const local = await startLocalSystem({ port: 0, checkResponses: true, schedules: false });
await bootstrap(local.connections);
afterAll(() => local.stop());
afterEach(() => setClock());
const { connections } = local;
const system = testSystem(local.baseUrl, connections);
const provider = await system.newOrganization();
const owner = await provider.withRole('platform_owner');
const body = { reason: 'No payment since June' };
const paramsOf = ({ organizationId }: TestOrganization) => ({ params: { id: organizationId } });
/** Functions know credentials and organizations for a minute. */
const later = (seconds: number) => setClock(() => Date.now() + seconds * 1000);
const refused = { status: 400, body: { code: 'limit_exceeded', message: expect.stringContaining('suspended') } };

test('within a minute nobody of a suspended organization is served, machines are told to wait, and all are served again later', async () => {
  const [client, other] = [await system.newOrganization(), await system.newOrganization()];
  const key = await client.apiKey(['findings:read']);
  const scanner = await client.scanner();
  const linkToken = await client.linkToken('agent');
  const calls = () => [
    client.admin.call('listFindings'),
    key.call('listFindings'),
    scanner.client.call('leaseScannerTasks', { body: { capacity: 1 } }),
  ];
  for (const answer of await Promise.all(calls())) expect(answer).toMatchObject({ status: 200 });
  const suspended = await owner.ok('suspendOrganization', { ...paramsOf(client), body });
  expect(suspended).toMatchObject({ suspension: { ...body, by: { name: 'platform_owner' } } });
  expect(await owner.ok('getOrganization', paramsOf(client))).toMatchObject({
    status: 'suspended',
    suspension: suspended.suspension,
  });
  later(61);
  for (const answer of await Promise.all(calls())) expect(answer).toMatchObject(refused);
  const { clientId: client_id, clientSecret: client_secret } = scanner;
  const form = { grant_type: 'client_credentials', client_id, client_secret };
  expect(await system.client().send('POST', '/api/v1/oauth/token', { body: form })).toMatchObject(refused);
  const link = { linkToken, name: 'late', instanceId: crypto.randomUUID() };
  expect(await system.client().send('POST', '/api/v1/agent/link', { body: link })).toMatchObject(refused);
  await other.admin.ok('listFindings');
  expect(await owner.call('suspendOrganization', { ...paramsOf(client), body })).toMatchObject({
    body: { code: 'conflict' },
  });
  expect(await owner.ok('resumeOrganization', paramsOf(client))).toMatchObject({ suspension: null });
  for (const answer of await Promise.all(calls())) expect(answer).toMatchObject({ status: 200 });
  expect((await system.client().send('POST', '/api/v1/agent/link', { body: link })).status).toBe(200);
  expect(await owner.call('resumeOrganization', paramsOf(client))).toMatchObject({ body: { code: 'conflict' } });
});

test('an engagement whose start comes in a suspension starts when it ends', async () => {
  const client = await system.newOrganization();
  const startAt = new Date(Date.now() + 60_000).toISOString();
  const { id } = await create(client.admin, { schedule: { startAt } });
  await owner.ok('suspendOrganization', { ...paramsOf(client), body });
  later(120);
  await sweep(connections);
  await owner.ok('resumeOrganization', paramsOf(client));
  expect((await read(client, id)).runs).toBe(0);
  later(240);
  await sweep(connections);
  expect((await read(client, id)).runs).toBe(1);
});

test('shared scanners take no task of a suspended organization, serve others, and continue with it later', async () => {
  const [client, other] = [await system.newOrganization(), await system.newOrganization()];
  const { pool, scanner } = await newPool(system, [client, other]);
  for (const one of [client, other]) await engageInPool(one, pool.id);
  await owner.ok('suspendOrganization', { ...paramsOf(client), body });
  expect(await takeTasks(scanner)).toHaveLength(1);
  expect(await takeTasks(scanner)).toHaveLength(0);
  await owner.ok('resumeOrganization', paramsOf(client));
  later(61);
  expect(await takeTasks(scanner)).toHaveLength(1);
});

test('the minutes of shared scanners are added up when a task ends', async () => {
  const client = await system.newOrganization();
  const { pool, scanner } = await newPool(system, [client]);
  const id = await engageInPool(client, pool.id);
  const [task] = await takeTasks(scanner);
  later(180);
  const results = [{ taskId: task?.id ?? '', outcome: 'completed' as const, reports: [] }];
  await scanner.client.ok('completeScannerTasks', { body: { results } });
  await expect.poll(async () => (await client.admin.ok('getEngagement', { params: { id } })).tasks?.completed).toBe(1);
  const { summary } = await owner.ok('getOrganization', paramsOf(client));
  expect(summary.poolMinutes30d).toBe(3);
});

test('the provider does not lock itself out', async () => {
  expect(await owner.call('suspendOrganization', { ...paramsOf(provider), body })).toMatchObject({
    body: { code: 'conflict' },
  });
});
