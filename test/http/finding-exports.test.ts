import { beforeAll, expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { exportFiles } from '#shared/platform/exports/export.ts';
import type { Client, RequestOf } from '../support/client.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

const system = startSystem();
const at = '2026-01-05T08:00:00.000Z';
let organization: TestOrganization;
let viewer: Client;
beforeAll(async () => {
  organization = await system.newOrganization();
  viewer = await organization.withRole('viewer');
  for (const title of ['First', 'Second', 'Third'])
    await organization.table.create(findings, findingDraft(at, { title, tool: title === 'First' ? 'zap' : 'nmap' }));
});

async function exported(client: Client, body: RequestOf<'exportFindings'>['body']) {
  const { taskId } = await client.ok('exportFindings', { body });
  return client.ok('getFindingsExport', { params: { taskId }, query: { waitSeconds: 20 } });
}

test('a viewer exports what a filter finds, and fetches the file without a credential', async () => {
  const { file, ...answer } = await exported(viewer, { filter: { tool: 'nmap' }, columns: ['title', 'tool'] });
  expect(answer).toMatchObject({ status: 'succeeded', progress: { done: 2, total: 2, unit: 'findings' }, error: null });
  expect(file).toMatchObject({ mediaType: 'text/csv; charset=utf-8', findings: 2, entries: 2 });
  const fetched = await fetch(file?.url ?? '');
  expect(await fetched.text()).toBe('title,tool\r\n"Third","nmap"\r\n"Second","nmap"\r\n');
});

test('a script has the address of the file with one call', async () => {
  const body = { filter: { tool: 'zap' }, columns: ['title' as const] };
  const { status, task, file } = await viewer.ok('exportFindings', { body, query: { waitSeconds: 20 } });
  expect({ status, result: task?.result }).toMatchObject({ status: 'succeeded', result: { findings: 1 } });
  expect(await (await fetch(file?.url ?? '')).text()).toBe('title\r\n"First"\r\n');
});

test('an export is of its own organization alone, and nobody else gets its address', async () => {
  const other = await system.newOrganization();
  const theirs = await exported(other.admin, { format: 'jsonl' });
  expect(theirs.file).toMatchObject({ findings: 0, sizeBytes: 0 });
  const { taskId } = await exported(viewer, { format: 'jsonl' });
  const stranger = await other.admin.call('getFindingsExport', { params: { taskId } });
  expect(stranger).toMatchObject({ status: 400, body: { code: 'not_found' } });
  const { url = '' } = (await viewer.ok('getFindingsExport', { params: { taskId } })).file ?? {};
  const elsewhere = url.replace(organization.organizationId, other.organizationId);
  expect((await fetch(elsewhere)).status).toBe(403);
});

test('a file that was removed says that the export must be made again', async () => {
  const { taskId } = await exported(viewer, { format: 'sarif' });
  await system.connections.bucket.remove([exportFiles(organization.organizationId, taskId).file]);
  const answer = await viewer.call('getFindingsExport', { params: { taskId } });
  expect(answer).toMatchObject({ status: 400, body: { code: 'conflict' } });
  expect(JSON.stringify(answer.body)).toMatch(/export again/);
});

test.each([
  ['columns of a format without columns', { format: 'vex', columns: ['title'] }, 'columns'],
  ['an unknown column', { columns: ['titel'] }, 'columns.0'],
  ['an unknown filter', { filter: { sort: 'priority' } }, 'filter.sort'],
  ['an unknown format', { format: 'xlsx' }, 'format'],
])('%s is refused with its place', async (_name, body, path) => {
  const answer = await viewer.send('POST', '/api/v1/findings/export', { body });
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
});

test('a task that is no export has no file', async () => {
  const answer = await viewer.call('getFindingsExport', { params: { taskId: crypto.randomUUID() } });
  expect(answer).toMatchObject({ status: 400, body: { code: 'not_found' } });
});
