import { expect, test } from 'vitest';
import type { Operation } from '#shared/platform/jobs/operations.ts';
import { newTask, newTaskWrites, type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { actor } from '../support/actor.ts';
import type { Client, RequestOf } from '../support/client.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

/** A task of a new organization's API key, in the state that an operation leaves. */
async function taskOfKey(changes: Partial<TaskRow> = {}) {
  const organization = await system.newOrganization();
  const owner = await organization.apiKey(['findings:write']);
  const [key] = (await organization.admin.ok('listApiKeys')).data;
  const request = { operation: 'ingest_report', job: 'ingest', unit: 'findings', input: { secret: 1 } } as const;
  const task = { ...newTask(actor(key?.id ?? ''), request), ...changes };
  const rows = openTable(system.connections.dynamo, organization.organizationId).rows(taskRows);
  await rows.put(task, 'absent');
  return { organization, owner, task, rows };
}

test('the caller who started an operation can follow it, sees who started it, and no internal fields', async () => {
  const { owner, task } = await taskOfKey();
  const answer = await owner.ok('getTask', { params: { id: task.id } });
  expect(Object.keys(answer).slice(0, 4)).toEqual(['id', 'operation', 'status', 'progress']);
  expect(answer).toEqual({
    id: task.id,
    operation: 'ingest_report',
    status: 'queued',
    progress: { done: 0, unit: 'findings' },
    createdBy: actor(task.owner),
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
  });
});

test('a viewer and a key with a fitting scope see how far the import of a colleague is', async () => {
  const { organization, task, rows } = await taskOfKey({ status: 'running' });
  const progress = { done: 40, total: 100, unit: 'findings' };
  await rows.set({ id: task.id }, { progress });
  const readers = [organization.withRole('viewer'), organization.apiKey(['findings:read']), organization.admin];
  for (const client of await Promise.all(readers)) {
    const request = { params: { id: task.id }, query: { waitSeconds: 1 } };
    expect(await client.ok('getTask', request)).toMatchObject({ status: 'running', progress });
  }
});

test('machines, staff, keys for other work and other organizations do not find the task of another caller', async () => {
  const { organization, task } = await taskOfKey();
  const { client: machine } = await organization.scanner();
  const strangers = [organization.withRole('platform_owner'), organization.apiKey(['assets:read', 'scans:trigger'])];
  const outside = await system.newOrganization();
  const outsiders = [outside.admin, outside.apiKey(['findings:write'])];
  for (const client of [machine, ...(await Promise.all([...strangers, ...outsiders]))]) {
    const answer = await client.call('getTask', { params: { id: task.id }, query: { waitSeconds: 20 } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'not_found' } });
  }
});

test('waiting for a task ends as soon as the task does', async () => {
  const { owner, task, rows } = await taskOfKey({ status: 'running' });
  const waiting = owner.ok('getTask', { params: { id: task.id }, query: { waitSeconds: 20 } });
  await rows.set({ id: task.id }, { status: 'succeeded', result: { created: 3 } });
  expect(await waiting).toMatchObject({ status: 'succeeded', result: { created: 3 } });
});

test.each([
  ['a wait that is too long', { waitSeconds: 21 }, 'waitSeconds'],
  ['a wait that is not a number', { waitSeconds: 'long' }, 'waitSeconds'],
  ['an unknown parameter', { wait: 1 }, 'wait'],
])('%s is refused by name', async (_, query, path) => {
  const { admin } = await system.newOrganization();
  const answer = await admin.send('GET', `/api/v1/tasks/${newId()}`, { query });
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
});

async function makeTask(
  table: Table,
  { operation, owner = 'someone', ...changes }: Partial<TaskRow> & { operation: Operation },
) {
  const task = {
    ...newTask(actor(owner), { operation, job: 'ingest', unit: 'findings', input: { secret: 1 } }),
    ...changes,
  };
  const batch = table.batch();
  batch.write(...newTaskWrites(table, task));
  await batch.commit();
  return task;
}

const listed = async (client: Client, query: RequestOf<'listTasks'>['query'] = {}) =>
  (await client.ok('listTasks', { query })).data.map(({ id }) => id);

test('people see which operations of their organization wait, run and failed, newest first', async () => {
  const { table, admin, withRole } = await system.newOrganization();
  const failed = await makeTask(table, {
    operation: 'ingest_report',
    status: 'failed',
    createdAt: '2026-11-20T08:00:00.000Z',
  });
  const running = await makeTask(table, { operation: 'ingest_report', status: 'running' });
  const { taskId } = await admin.ok('verifyAudit');
  const viewer = await withRole('viewer');
  expect(await listed(viewer)).toEqual([taskId, running.id, failed.id]);
  expect(await listed(viewer, { operation: 'ingest_report' })).toEqual([running.id, failed.id]);
  expect(await listed(viewer, { status: 'running,failed', since: running.createdAt })).toEqual([running.id]);
  const page = await viewer.ok('listTasks', { query: { operation: 'ingest_report', status: 'failed' } });
  const { id, operation, status, progress, createdBy, createdAt, updatedAt } = failed;
  expect(page).toEqual({ data: [{ id, operation, status, progress, createdBy, createdAt, updatedAt }], next: null });
  const first = await viewer.ok('listTasks', { query: { limit: 2 } });
  expect(await listed(viewer, { limit: 2, before: first.next ?? '' })).toEqual([failed.id]);
});

test('a list shows nobody the tasks that it may not read', async () => {
  const organization = await system.newOrganization();
  const { table } = organization;
  const { client: machine, id: owner } = await organization.scanner();
  const report = await makeTask(table, { operation: 'ingest_report', owner });
  const engagement = await makeTask(table, { operation: 'create_engagement' });
  const rekey = await makeTask(table, { operation: 'maintenance_rekey' });
  const key = (scope: 'findings:read' | 'scans:trigger' | 'assets:read') => organization.apiKey([scope]);
  const outside = await system.newOrganization();
  expect({
    admin: await listed(organization.admin),
    viewer: await listed(await organization.withRole('viewer')),
    findings: await listed(await key('findings:read')),
    scans: await listed(await key('scans:trigger')),
    assets: await listed(await key('assets:read')),
    asked: await listed(await key('findings:read'), { operation: 'create_engagement' }),
    staff: await listed(await organization.withRole('platform_owner')),
    machine: await listed(machine),
    otherMachine: await listed((await organization.scanner()).client),
    outside: await listed(outside.admin),
  }).toEqual({
    admin: [rekey.id, engagement.id, report.id],
    viewer: [rekey.id, engagement.id, report.id],
    findings: [report.id],
    scans: [engagement.id],
    assets: [],
    asked: [],
    staff: [],
    machine: [report.id],
    otherMachine: [],
    outside: [],
  });
});

test.each([
  ['an operation that does not exist', { operation: 'delete_all' }, 'operation.0'],
  ['a status that does not exist', { status: 'waiting' }, 'status.0'],
  ['a time that is none', { since: 'yesterday' }, 'since'],
  ['a cursor that no answer gave', { before: 'x' }, 'before'],
  ['a page that is too large', { limit: 101 }, 'limit'],
])('%s is refused by name', async (_, query, path) => {
  const { admin } = await system.newOrganization();
  const answer = await admin.send('GET', '/api/v1/tasks', { query });
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
});
