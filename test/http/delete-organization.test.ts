import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { work } from '#functions/workers/sweeper/work.ts';
import { startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import { taskRows } from '#shared/platform/jobs/task.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { shortId } from '#shared/platform/runtime/ids.ts';
import type { Client } from '../support/client.ts';
import { create, newAccount } from '../support/engagements.ts';
import { callersOf } from '../support/every-route.ts';
import { bucketTexts, rowTexts } from '../support/everything-stored.ts';
import { engageInPool, newPool, takeTasks } from '../support/pools.ts';
import { recordsOf } from '../support/records.ts';
import { type TestOrganization, testSystem } from '../support/system.ts';
import { finished, until } from '../support/wait.ts';

const local = await startLocalSystem({ port: 0, checkResponses: true });
await bootstrap(local.connections);
afterAll(() => local.stop());
afterEach(() => setClock());
const { connections } = local;
const system = testSystem(local.baseUrl, connections);

/** The rows of an organization as they lie, and the keys of its objects. */
async function held({ organizationId }: TestOrganization): Promise<string[]> {
  const rows = (await rowTexts(connections)).filter((row) => row.includes(`"pk":"${shortId(organizationId)}#`));
  const objects = [...(await bucketTexts(connections)).keys()].filter((key) => key.includes(organizationId));
  return [...rows, ...objects].toSorted();
}

/** Once workers, views and timers have had nothing more to write for some seconds. */
async function atRest(organization: TestOrganization): Promise<string[]> {
  for (let [before, equal] = [await held(organization), 0]; ; ) {
    await sleep(1_000);
    const now = await held(organization);
    equal = now.join() === before.join() ? equal + 1 : 0;
    if (equal === 4) return now;
    before = now;
  }
}

/** Functions know credentials for a minute; the last passes come after it. */
async function passQuiet({ table }: TestOrganization, taskId: string): Promise<void> {
  const isWaiting = async () => {
    const task = await table.rows(taskRows).find({ id: taskId }, true);
    return task?.status === 'queued' && task.checkpoint !== undefined;
  };
  await until(isWaiting, Boolean);
  setClock(() => Date.now() + 180_000);
  await sweep(connections);
}

const filled = async (): Promise<TestOrganization> => {
  const organization = await system.newOrganization();
  await recordsOf(await callersOf(organization));
  return organization;
};

test('of a deleted organization nothing is left, in any row or file, and another one has what it had', async () => {
  const [gone, other] = [await filled(), await filled()];
  const provider = await newPool(system, [gone, other]);
  for (const client of [gone, other]) await engageInPool(client, provider.pool.id);
  const before = await atRest(other);
  expect((await held(gone)).length).toBeGreaterThan(500);
  const { table } = provider.provider;
  const { taskId } = await queueTask(
    { connections, table },
    {
      operation: 'delete_organization',
      job: 'maintenance',
      unit: 'rows and objects',
      input: { work: 'delete', organizationId: gone.organizationId },
      send: { group: gone.organizationId },
    },
  );
  expect(await atRest(other)).toEqual(before);
  await passQuiet(provider.provider, taskId);
  const task = await finished(provider.provider.admin, taskId);
  expect(task).toMatchObject({ status: 'succeeded', result: { mentions: {} } });
  expect(await held(gone)).toEqual([]);
  const objects = await bucketTexts(connections);
  const texts = [...(await rowTexts(connections)), ...objects.keys(), ...objects.values()];
  const isNamed = (text: string) => text.includes(gone.organizationId) || text.includes(shortId(gone.organizationId));
  // the request for the deletion, and the audit log of the provider, which cannot be altered
  const kindsOf = (text: string) => /"pk":"[^"#]+#([^"#]+)/.exec(text)?.[1] ?? text.slice(0, 200);
  const left = texts.filter((text) => isNamed(text) && !text.includes(taskId)).map(kindsOf);
  expect(left.filter((kind) => !['change-sheet', 'change-index', 'change-inbox'].includes(kind))).toEqual([]);
  expect(await gone.admin.send('GET', '/api/v1/findings')).toMatchObject({ status: 401 });
  expect(await takeTasks(provider.scanner)).toHaveLength(1);
});

const body = { name: 'Test organization' };
const DAY_MS = 86_400_000;

/** A client, and two platform owners of whom neither made the other. */
async function sides() {
  const client = await system.newOrganization();
  const provider = await system.newOrganization();
  const [asking, second] = [await provider.withRole('platform_owner'), await provider.withRole('platform_owner')];
  return { client, provider, asking, second, params: { id: client.organizationId } };
}

test('an organization is deleted after a second person has approved it and seven days are over, and works on until then', async () => {
  const { client, provider, asking, second, params } = await sides();
  const { client: tester, account } = await newAccount(system, asking, { name: 'Tester', role: 'pentester' });
  for (const who of [tester, await provider.withRole('manager'), client.admin])
    for (const name of ['deleteOrganization', 'approveOrganizationDeletion'] as const)
      expect(await who.call(name, { params, body })).toMatchObject({ body: { code: 'insufficient_scope' } });
  expect(await asking.call('deleteOrganization', { params, body: { name: 'Test' } })).toMatchObject({
    body: { code: 'validation_failed' },
  });
  expect(await client.admin.call('getOwnDeletion')).toMatchObject({ body: { code: 'not_found' } });
  expect(await asking.call('approveOrganizationDeletion', { params, body })).toMatchObject({
    body: { code: 'not_found' },
  });
  expect(await asking.ok('deleteOrganization', { params, body })).toMatchObject({
    status: 'requested',
    requestedBy: { name: 'platform_owner' },
    deletionAt: null,
    approvedBy: null,
    taskId: null,
  });
  expect(await second.call('deleteOrganization', { params, body })).toMatchObject({ body: { code: 'conflict' } });
  expect(await asking.call('approveOrganizationDeletion', { params, body })).toMatchObject({
    body: { code: 'conflict', message: expect.stringContaining('second person') },
  });
  setClock(() => Date.now() + 8 * DAY_MS);
  await sweep(connections);
  setClock();
  expect((await client.admin.ok('getOwnDeletion')).status).toBe('requested');
  const approved = await second.ok('approveOrganizationDeletion', { params, body });
  const days = (Date.parse(approved.deletionAt ?? '') - Date.now()) / DAY_MS;
  expect(days).toBeGreaterThan(6.99);
  expect(days).toBeLessThan(7.01);
  expect(await client.admin.ok('getOwnDeletion')).toEqual(approved);
  const shown = async (who: typeof second) =>
    (await who.ok('listConfig', { query: { paginateSize: 500 } })).data.find(
      ({ key }) => key === 'organization.deletionAt',
    )?.value;
  expect(await shown(client.admin)).toBe(approved.deletionAt);
  expect(await shown(await client.withRole('viewer'))).toBeUndefined();
  expect(await shown(asking)).toBeUndefined();
  const { id } = await create(client.admin, { leadId: account.id });
  setClock(() => Date.parse(approved.deletionAt ?? '') - 60_000);
  await sweep(connections);
  setClock();
  expect(await client.admin.ok('getEngagement', { params: { id } })).toMatchObject({ id });
  setClock(() => Date.parse(approved.deletionAt ?? '') + 1000);
  await sweep(connections);
  setClock();
  const begun = await second.ok('getOrganizationDeletion', { params });
  expect(begun).toMatchObject({ status: 'deleting' });
  // what was written meanwhile is found by a further pass, which waits again
  const afterQuiet = async () => {
    setClock(() => Date.now() + 180_000);
    await sweep(connections);
    setClock();
    return asking.ok('getTask', { params: { id: begun.taskId ?? '' } });
  };
  expect(await until(afterQuiet, ({ finishedAt }) => finishedAt !== undefined)).toMatchObject({ status: 'succeeded' });
  expect(await held(client)).toEqual([]);
  expect(await asking.call('deleteOrganization', { params, body })).toMatchObject({ body: { code: 'not_found' } });
});

test('either side takes a deletion back, and both see who did it', async () => {
  const { client, asking, second, params } = await sides();
  await asking.ok('deleteOrganization', { params, body });
  const { deletionAt } = await second.ok('approveOrganizationDeletion', { params, body });
  expect(await (await client.withRole('analyst')).call('cancelOwnDeletion')).toMatchObject({ status: 401 });
  const cancelled = await client.admin.ok('cancelOwnDeletion');
  expect(cancelled).toMatchObject({ status: 'cancelled', deletionAt: null, cancelledBy: expect.any(Object) });
  expect(await asking.ok('getOrganizationDeletion', { params })).toEqual(cancelled);
  expect(await client.admin.call('cancelOwnDeletion')).toMatchObject({ body: { code: 'conflict' } });
  setClock(() => Date.parse(deletionAt ?? '') + DAY_MS);
  await sweep(connections);
  setClock();
  expect(await client.admin.ok('getOwnDeletion')).toEqual(cancelled);
  expect(await second.ok('deleteOrganization', { params, body })).toMatchObject({
    status: 'requested',
    cancelledBy: null,
    approvedBy: null,
  });
  await asking.ok('approveOrganizationDeletion', { params, body });
  expect(await asking.ok('cancelOrganizationDeletion', { params })).toMatchObject({ status: 'cancelled' });
  const told = async () =>
    (await client.admin.ok('listChanges', { query: { entity: 'organization-deletion' } })).data.map(
      ({ fields }) => fields.status?.to,
    );
  await expect.poll(told).toEqual(['requested', 'approved', 'cancelled', 'requested', 'approved', 'cancelled']);
});

test('one holder of several accounts is no second person, however the accounts came to be', async () => {
  const { client, provider, asking, second, params } = await sides();
  const owner = (maker: Client, name: string) => newAccount(system, maker, { name, role: 'platform_owner' });
  const [made, also] = [await owner(asking, 'Made'), await owner(asking, 'Made too')];
  const grandchild = await owner(made.client, 'Made by that');
  const refused = { body: { code: 'conflict', message: expect.stringContaining('second person') } };
  const pair = async (first: Client, then: Client, expected: object) => {
    await first.ok('deleteOrganization', { params, body });
    expect(await then.call('approveOrganizationDeletion', { params, body })).toMatchObject(expected);
    await first.ok('cancelOrganizationDeletion', { params });
  };
  await pair(asking, made.client, refused);
  await pair(made.client, asking, refused);
  await pair(made.client, also.client, refused);
  await pair(asking, grandchild.client, refused);
  const other = await owner(second, 'Of the second');
  await pair(made.client, other.client, { status: 200 });
  // who gives an account a secret holds it
  const rotating = { params: { id: other.account.id }, body: { overlapSeconds: 3600 } };
  await asking.ok('rotateServiceAccountSecret', rotating);
  await pair(asking, other.client, refused);
  await pair(asking, second, { status: 200 });
  expect(provider.organizationId).not.toBe(client.organizationId);
});

test('neither an organization of the provider is deleted, nor one for which shared machines still work', async () => {
  const client = await system.newOrganization();
  const { provider, staff, pool, scanner } = await newPool(system, [client]);
  const second = await provider.withRole('platform_owner');
  const params = { id: client.organizationId };
  const ofProvider = { params: { id: provider.organizationId }, body };
  expect(await staff.call('deleteOrganization', ofProvider)).toMatchObject({ body: { code: 'conflict' } });
  await engageInPool(client, pool.id);
  await staff.ok('deleteOrganization', { params, body });
  const { deletionAt } = await second.ok('approveOrganizationDeletion', { params, body });
  const [task] = await takeTasks(scanner);
  const sweepAtEnd = async () => {
    setClock(() => Date.parse(deletionAt ?? '') + 1000);
    await work(connections, {
      shard: 0,
      kind: 'organization-deletion',
      id: params.id,
      organizationId: params.id,
      at: Date.parse(deletionAt ?? ''),
    });
    setClock();
    return (await staff.ok('getOrganizationDeletion', { params })).status;
  };
  expect(await sweepAtEnd()).toBe('approved');
  await client.admin.ok('cancelScannerTask', { params: { id: task?.id ?? '' } });
  await scanner.client.ok('completeScannerTasks', {
    body: { results: [{ taskId: task?.id ?? '', outcome: 'cancelled', reports: [] }] },
  });
  expect(await sweepAtEnd()).toBe('deleting');
});
