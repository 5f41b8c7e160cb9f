import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { PART_BYTES } from '#shared/platform/uploads/parts.ts';
import { findUpload, ownUpload, readUpload, uploadRows, useWrites } from '#shared/platform/uploads/upload.ts';
import type { AnswerOf } from '../support/client.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

type Upload = AnswerOf<'getUpload'>;
type Part = Upload['parts'][number];

const system = startSystem();
let organization: TestOrganization;
beforeAll(async () => {
  organization = await system.newOrganization();
});

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const create = (content: Buffer, client = organization.admin) =>
  client.ok('createUpload', { body: { sizeBytes: content.length, sha256: sha256(content), name: 'report.sarif' } });
const show = (id: string) => organization.admin.ok('getUpload', { params: { id } });

async function put({ url, headers }: Pick<Part, 'url' | 'headers'>, content: Buffer): Promise<number> {
  const answer = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(content) });
  await answer.arrayBuffer();
  return answer.status;
}

const first = ({ parts }: Upload): Part => {
  if (!parts[0]) throw new Error('nothing left to send');
  return parts[0];
};

/** The upload's owner, in the form that the ingest reads. */
async function ownerOf(uploadId: string) {
  const { table } = organization;
  const upload = await table.rows(uploadRows).find({ id: uploadId }, true);
  if (!upload) throw new Error('no upload');
  return { ...table, actor: { ...table.actor, id: upload.owner } };
}

async function read(uploadId: string): Promise<Buffer> {
  const table = await ownerOf(uploadId);
  const upload = await findUpload(system.connections.bucket, table, { id: uploadId, taskId: newId() });
  const chunks: Uint8Array[] = [];
  for await (const chunk of readUpload(system.connections.bucket, upload)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('a small file', () => {
  const content = Buffer.from('{"version":"2.1.0","runs":[]}');

  test('is uploaded with the signed request and then shown as complete', async () => {
    const upload = await create(content);
    expect(upload).toEqual({
      uploadId: expect.any(String),
      name: 'report.sarif',
      sizeBytes: content.length,
      sha256: sha256(content),
      state: 'open',
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      partSizeBytes: PART_BYTES,
      parts: [{ partNumber: 1, sizeBytes: content.length, url: expect.any(String), headers: expect.any(Object) }],
      urlsExpireAt: expect.any(String),
    });
    expect((await show(upload.uploadId)).state).toBe('open');
    expect(await put(first(upload), content)).toBe(200);
    expect(await show(upload.uploadId)).toMatchObject({ state: 'uploaded', parts: [], urlsExpireAt: null });
    expect(await read(upload.uploadId)).toEqual(content);
  });

  test('cannot be replaced after the upload, so that a checked report stays unchanged', async () => {
    const upload = await create(content);
    expect([await put(first(upload), content), await put(first(upload), content)]).toEqual([200, 412]);
  });

  test.each([
    ['longer than declared', Buffer.from(`${content} `), 403],
    ['of other bytes', Buffer.from(String(content).replace('runs', 'ruNs')), 400],
    ['empty', Buffer.alloc(0), 403],
  ])('is refused when it is %s, and the upload stays open', async (_, other, status) => {
    const upload = await create(content);
    expect(await put(first(upload), other)).toBe(status);
    expect((await show(upload.uploadId)).state).toBe('open');
    await expect(read(upload.uploadId)).rejects.toMatchObject({ code: 'upload_incomplete' });
  });

  test('can be used once; a second use is refused', async () => {
    const { uploadId, ...upload } = await create(content);
    await put(first({ uploadId, ...upload }), content);
    const table = await ownerOf(uploadId);
    const { bucket } = system.connections;
    const uses = [newId(), newId()].map(async (taskId) => {
      const found = await findUpload(bucket, table, { id: uploadId, taskId });
      const batch = organization.table.batch();
      batch.write(...useWrites(table, found, taskId));
      await batch.commit();
    });
    const ends = await Promise.allSettled(uses);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(read(uploadId)).rejects.toMatchObject({ code: 'conflict' });
    expect(await show(uploadId)).toMatchObject({ state: 'used', parts: [] });
  });

  test('is found only by its creator', async () => {
    const { uploadId } = await create(content);
    const others = [await organization.withRole('analyst'), (await system.newOrganization()).admin];
    for (const other of others) {
      const { status, body } = await other.call('getUpload', { params: { id: uploadId } });
      expect({ status, body }).toMatchObject({ status: 400, body: { code: 'not_found' } });
    }
    const missing = { id: uploadId, taskId: newId() };
    await expect(findUpload(system.connections.bucket, organization.table, missing)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('expires after a day without use', async () => {
    const { uploadId } = await create(content);
    const table = await ownerOf(uploadId);
    const upload = await ownUpload(table, uploadId);
    expect(Date.parse(upload.expiresAt) - Date.parse(upload.createdAt)).toBe(86_400_000);
    await table.rows(uploadRows).put({ ...upload, expiresAt: inSeconds(1) });
    await expect
      .poll(async () => (await organization.admin.call('getUpload', { params: { id: uploadId } })).body)
      .toMatchObject({ code: 'not_found' });
  });

  test.each([
    ['no bytes', { sizeBytes: 0, sha256: 'a'.repeat(64) }, 'sizeBytes'],
    ['more than 1 GiB', { sizeBytes: 1024 ** 3 + 1, sha256: 'a'.repeat(64) }, 'sizeBytes'],
    ['a checksum in base64', { sizeBytes: 1, sha256: 'LCa0a2j/xo/5m0U8HTBBNBNCLXBkg7+g+YpeiGJm564=' }, 'sha256'],
    ['an unknown field', { sizeBytes: 1, sha256: 'a'.repeat(64), checksum: 'x' }, 'checksum'],
  ])('is refused with %s', async (_, body, path) => {
    const answer = await organization.admin.call('createUpload', { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
  });
});

describe('an import by upload', () => {
  const sarif = {
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'example' } },
        results: [{ ruleId: 'sql-injection', level: 'error', message: { text: 'SQL built from input' } }],
      },
    ],
  };
  const content = gzipSync(JSON.stringify(sarif));
  const repository = 'https://git.example.com/shop/web';

  test('reads an uploaded file with or without gzip, and uses it once', async () => {
    const { admin } = await system.newOrganization();
    const upload = await create(content, admin);
    const body = { format: 'auto', repository, uploadId: upload.uploadId };
    const early = await admin.call('importFindings', { body });
    expect(early).toMatchObject({ status: 400, body: { code: 'upload_incomplete' } });
    await put(first(upload), content);
    const taken = await admin.ok('importFindings', { body, query: { waitSeconds: 20 } });
    expect(taken).toMatchObject({ status: 'succeeded', task: { result: { created: 1, rejected: [] } } });
    const again = await admin.call('importFindings', { body });
    expect(again).toMatchObject({ status: 400, body: { code: 'conflict' } });
    expect((await admin.ok('listFindings')).totalCount).toBe(1);
  });

  test("is refused for another caller's file", async () => {
    const { uploadId } = await create(content);
    const { admin } = await system.newOrganization();
    const answer = await admin.call('importFindings', { body: { format: 'auto', repository, uploadId } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'not_found' } });
  });
});

test('a scanner can upload, also with unknown fields of a newer release', async () => {
  const { client } = await organization.scanner();
  const content = randomBytes(100);
  const body = { sizeBytes: 100, sha256: sha256(content), compression: 'none' };
  const answer = await client.send('POST', '/api/v1/scanner_communication/uploads', { body });
  const upload = answer.body as Upload;
  expect(await put(first(upload), content)).toBe(200);
  const params = { id: upload.uploadId };
  expect(await client.ok('getScannerUpload', { params })).toMatchObject({ state: 'uploaded' });
});
