import { readFile } from 'node:fs/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from '../../dist/openapi.d.ts';

/**
 * The program of an integrator whose client is generated from the document: `tour.ts BASE_URL CLIENT_ID CLIENT_SECRET`. It casts
 * nothing. Its own test generates `dist/openapi.d.ts`, compiles it and runs it.
 */
const [baseUrl = '', clientId = '', clientSecret = ''] = process.argv.slice(2);

type Finding = components['schemas']['FindingListItem'];
type Answer<T> = { data?: T; error?: components['schemas']['Error'] };

/** @throws with the message of the service when it refused the request */
async function answerOf<T>(request: Promise<Answer<T>>): Promise<T> {
  const { data, error } = await request;
  if (data === undefined) throw new Error(error ? `${error.code}: ${error.message}` : 'the answer is empty');
  return data;
}

async function login(client_id: string, client_secret: string) {
  const anyone = createClient<paths>({ baseUrl });
  const body = { grant_type: 'client_credentials', client_id, client_secret };
  const { access_token } = await answerOf(anyone.POST('/api/v1/oauth/token', { body }));
  return createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${access_token}` } });
}

const admin = await login(clientId, clientSecret);
const { id: assetId, findings } = await importReport();
await changeFinding(findings);
await changeGroup();
await plan(assetId);
await poll();

/** Imports a report, waits for its task, and lists what it brought. */
async function importReport() {
  const content = await readFile(new URL('../../events/import-sarif.json', import.meta.url), 'utf8');
  const report: components['schemas']['FindingsImport'] = JSON.parse(content);
  const { taskId } = await answerOf(admin.POST('/api/v1/findings/import', { body: report }));
  const task = await finished(taskId);
  if (task.operation !== 'ingest_report') throw new Error(`the task is of ${task.operation}`);
  const created = Object.values(task.result?.bySeverity.created ?? {}).reduce((sum, count) => sum + count, 0);
  const query = { status: ['open' as const], severity: ['critical' as const, 'high' as const], paginateSize: 10 };
  const { data, totalCount } = await answerOf(admin.GET('/api/v1/findings', { params: { query } }));
  const [first] = data;
  if (!first?.asset) throw new Error('the report brought no finding');
  console.log(`${created} findings, ${totalCount} of them severe`);
  return { id: first.asset.id, findings: data };
}

async function finished(id: string) {
  for (;;) {
    const task = await answerOf(admin.GET('/api/v1/tasks/{id}', { params: { path: { id } } }));
    if (task.status === 'succeeded') return task;
    if (task.status === 'failed' || task.status === 'cancelled') throw new Error(`the task is ${task.status}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Sends only the fields that change; null clears one. */
async function changeFinding([first]: Finding[]) {
  if (!first) return;
  const params = { path: { id: first.id } };
  const dueAt = '2031-05-01T00:00:00.000Z';
  const planned = await answerOf(admin.PATCH('/api/v1/findings/{id}', { params, body: { dueAt, tags: ['tour'] } }));
  const cleared = await answerOf(admin.PATCH('/api/v1/findings/{id}', { params, body: { dueAt: null } }));
  console.log(
    `due ${planned.dueAt?.slice(0, 10)}, then ${cleared.dueAt === dueAt ? 'still so' : 'as the policy says'}`,
  );
}

/** Creates a record of its name alone: all other fields have defaults, which the answer tells. */
async function changeGroup() {
  const { id, dispatch } = await answerOf(
    admin.POST('/api/v1/validation-operations/scanner-groups', { body: { name: 'Tour', zone: 'office' } }),
  );
  const params = { path: { id } };
  const { zone } = await answerOf(
    admin.PATCH('/api/v1/validation-operations/scanner-groups/{id}', { params, body: { zone: null } }),
  );
  console.log(`group by ${dispatch.toUpperCase()}, zone ${zone}`);
}

/** Sends a record back as it was read, with one change: fields that the server sets may come along. */
async function plan(id: string) {
  const params = { path: { id } };
  const asset = await answerOf(admin.GET('/api/v1/assets/{id}', { params }));
  const { criticality } = await answerOf(
    admin.PATCH('/api/v1/assets/{id}', { params, body: { version: asset.version, criticality: 'high' } }),
  );
  console.log(`asset ${asset.type}: ${criticality}`);
}

/** Links a scanner and asks for work. */
async function poll() {
  const { linkToken } = await answerOf(
    admin.POST('/api/v1/organization/link-tokens', { body: { kind: 'scanner', maxUses: 1 } }),
  );
  const anyone = createClient<paths>({ baseUrl });
  const linked = await answerOf(
    anyone.POST('/api/v1/scanner_communication/link', { body: { linkToken, name: 'tour', taskTypes: ['web'] } }),
  );
  const machine = await login(linked.clientId, linked.clientSecret);
  const { tasks, pollAfterSeconds } = await answerOf(
    machine.POST('/api/v1/scanner_communication/new_tasks', { body: { capacity: 1, running: [] } }),
  );
  console.log(`${tasks.length} tasks, again after ${pollAfterSeconds > 0 ? 'a while' : 'nothing'}`);
}
