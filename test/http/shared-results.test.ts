import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { scan } from '../support/engagements.ts';
import { engageInPool, newPool, takeTasks } from '../support/pools.ts';
import { nmapReport } from '../support/recorded.ts';
import { startSystem, type TestMachine, type TestOrganization } from '../support/system.ts';

const system = startSystem();

const nmap = gzipSync(nmapReport.content);

/** Uploads the report like a scanner. @returns the upload's id */
async function upload({ client }: TestMachine, content = nmap): Promise<string> {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const { uploadId, parts } = await client.ok('createScannerUpload', { body: { sizeBytes: content.length, sha256 } });
  const [part] = parts;
  const sent = await fetch(part?.url ?? '', { method: 'PUT', headers: part?.headers, body: new Uint8Array(content) });
  expect(sent.status).toBe(200);
  return uploadId;
}

const completed = (taskId: string, uploadId: string) => ({
  results: [{ taskId, outcome: 'completed' as const, reports: [{ format: 'nmap', uploadId }] }],
});
const complete = async ({ client }: TestMachine, taskId: string, uploadId: string) =>
  (await client.ok('completeScannerTasks', { body: completed(taskId, uploadId) })).results[0];

/** A client's tasks in a pool, leased by the pool's scanner. */
async function newLeased(values?: string[]) {
  const client = await system.newOrganization();
  const shared = await newPool(system, [client]);
  await engageInPool(client, shared.pool.id, { values });
  const [task, ...more] = await takeTasks(shared.scanner);
  return { ...shared, client, taskId: task?.id ?? '', more };
}

const result = async ({ admin }: TestOrganization, id: string) =>
  (await admin.ok('getScannerTask', { params: { id } })).result;

describe('a report that a shared scanner uploaded', () => {
  test("becomes the client's findings and can be used once", async () => {
    const { provider, client, scanner, taskId, more } = await newLeased(['192.0.2.10', '192.0.2.11']);
    const uploadId = await upload(scanner);
    const first = await complete(scanner, taskId, uploadId);
    expect(first).toMatchObject({ accepted: true, ingestTaskIds: [expect.any(String)] });
    expect(await complete(scanner, taskId, uploadId)).toEqual(first);
    await expect.poll(() => result(client, taskId)).toBeDefined();
    const { totalCount } = await client.admin.ok('listFindings');
    expect(totalCount).toBeGreaterThan(0);
    expect((await provider.admin.ok('listFindings')).totalCount).toBe(0);
    const second = await complete(scanner, more[0]?.id ?? '', uploadId);
    expect(second).toMatchObject({ accepted: false, code: 'conflict' });
    expect((await client.admin.ok('listScannerTasks')).data).toContainEqual(
      expect.objectContaining({ id: more[0]?.id, status: 'running' }),
    );
    const shown = await scanner.client.ok('getScannerUpload', { params: { id: uploadId } });
    expect(shown).toMatchObject({ state: 'used', parts: [] });
  });

  test('is not found by the client, the administrator of the provider, or another scanner', async () => {
    const { provider, client, scanner, taskId } = await newLeased();
    const params = { id: await upload(scanner) };
    await complete(scanner, taskId, params.id);
    const colleague = await provider.scanner();
    const own = await client.scanner();
    const asPerson = [client.admin, provider.admin].map((person) => person.call('getUpload', { params }));
    const asMachine = [colleague, own].map((machine) => machine.client.call('getScannerUpload', { params }));
    for (const answer of await Promise.all([...asPerson, ...asMachine]))
      expect(answer).toMatchObject({ status: 400, body: { code: 'not_found' } });
  });

  test('is refused in a completion when it belongs to another scanner or to the client', async () => {
    const { provider, client, pool, scanner, taskId } = await newLeased();
    const colleague = await provider.scanner({ group: pool.id });
    for (const stranger of [colleague, await client.scanner()]) {
      const answer = await complete(scanner, taskId, await upload(stranger));
      expect(answer).toMatchObject({ accepted: false, code: 'not_found' });
    }
    expect((await client.admin.ok('listScannerTasks')).data).toMatchObject([{ status: 'running' }]);
    expect(await complete(scanner, taskId, await upload(scanner))).toMatchObject({ accepted: true });
  });

  test('must be complete before the task ends: without its parts nothing changes', async () => {
    const { client, scanner, taskId } = await newLeased();
    const body = { sizeBytes: nmap.length, sha256: createHash('sha256').update(nmap).digest('hex') };
    const { uploadId } = await scanner.client.ok('createScannerUpload', { body });
    expect(await complete(scanner, taskId, uploadId)).toMatchObject({ accepted: false, code: 'upload_incomplete' });
    expect((await client.admin.ok('listScannerTasks')).data).toMatchObject([{ status: 'running' }]);
  });
});

describe('the task that reads the report of a shared scanner', () => {
  test("can be followed by the scanner alone among the provider's machines and people, and by the client's people", async () => {
    const { provider, staff, client, pool, scanner, taskId } = await newLeased();
    const body = completed(taskId, await upload(scanner));
    const answer = await scanner.client.ok('completeScannerTasks', { body });
    const request = { params: { id: answer.taskId }, query: { waitSeconds: 20 } };
    const colleague = await provider.scanner({ group: pool.id });
    const own = await client.scanner();
    const others = [provider.admin, staff, colleague.client, own.client];
    for (const other of others)
      expect(await other.call('getTask', request)).toMatchObject({ status: 400, body: { code: 'not_found' } });
    const task = await scanner.client.ok('getTask', request);
    expect(task).toMatchObject({ id: answer.taskId, operation: 'ingest_report', status: 'succeeded' });
    expect(Object.keys(task)).not.toContain('input');
    for (const reader of [scanner.client, client.admin])
      expect(await reader.ok('getTask', { params: request.params })).toEqual(task);
  });

  test('is the only task of the client that the scanner can read', async () => {
    const { client, scanner, taskId } = await newLeased();
    await complete(scanner, taskId, await upload(scanner));
    const engaged = await client.admin.ok('createEngagement', { body: scan });
    for (const id of [engaged.taskId, taskId]) {
      const answer = await scanner.client.call('getTask', { params: { id }, query: { waitSeconds: 20 } });
      expect(answer).toMatchObject({ status: 400, body: { code: 'not_found' } });
    }
  });
});
