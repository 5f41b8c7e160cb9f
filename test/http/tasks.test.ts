import { expect, test } from 'vitest';
import { newTask, type TaskRow, taskRows } from '#shared/jobs/task.ts';
import { newId } from '#shared/runtime/ids.ts';
import { openTable } from '#shared/table/table.ts';
import { startSystem } from '#test/support/system.ts';

const system = startSystem();

/** A task of a new organization's API key, in the state that an operation leaves. */
async function taskOfKey(changes: Partial<TaskRow> = {}) {
  const organization = await system.newOrganization();
  const owner = await organization.apiKey(['findings:write']);
  const [key] = (await organization.admin.ok('listApiKeys')).data;
  const request = { operation: 'ingest_report', job: 'ingest', unit: 'findings', input: { secret: 1 } } as const;
  const task = { ...newTask(key?.id ?? '', request), ...changes };
  const rows = openTable(system.connections.dynamo, organization.organizationId).rows(taskRows);
  await rows.put(task, 'absent');
  return { organization, owner, task, rows };
}

test('the caller who started an operation can follow it and sees no internal fields', async () => {
  const { owner, task } = await taskOfKey();
  expect(await owner.ok('getTask', { params: { id: task.id } })).toEqual({
    id: task.id,
    operation: 'ingest_report',
    status: 'queued',
    progress: { done: 0, unit: 'findings' },
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
  const strangers = [organization.withRole('staff'), organization.apiKey(['assets:read', 'scans:trigger'])];
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
