import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import { PART_BYTES } from '#shared/platform/uploads/parts.ts';
import { findUpload, readUpload, uploadRows } from '#shared/platform/uploads/upload.ts';
import type { AnswerOf } from '../support/client.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

type Upload = AnswerOf<'getUpload'>;
type Part = Upload['parts'][number];

const system = startSystem();
let organization: TestOrganization;
beforeAll(async () => {
  organization = await system.newOrganization();
});

const show = (id: string) => organization.admin.ok('getUpload', { params: { id } });

async function put({ url, headers }: Pick<Part, 'url' | 'headers'>, content: Buffer): Promise<number> {
  const answer = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(content) });
  await answer.arrayBuffer();
  return answer.status;
}

/** Reads the upload as the ingest does, and gives its digest and its length. */
async function read(uploadId: string): Promise<{ sha256: string; length: number }> {
  const { table } = organization;
  const row = await table.rows(uploadRows).find({ id: uploadId }, true);
  if (!row) throw new Error('no upload');
  const owner = { ...table, actor: { ...table.actor, id: row.owner } };
  const upload = await findUpload(system.connections.bucket, owner, { id: uploadId, taskId: newId() });
  const digest = createHash('sha256');
  let length = 0;
  for await (const chunk of readUpload(system.connections.bucket, upload)) {
    digest.update(chunk);
    length += chunk.length;
  }
  return { sha256: digest.digest('hex'), length };
}

describe('a file of 150 MB', () => {
  const size = 150_000_000;
  const part = (n: number) => Buffer.alloc(Math.min(PART_BYTES, size - (n - 1) * PART_BYTES), `part ${n};`);
  const whole = createHash('sha256');
  for (const n of [1, 2, 3]) whole.update(part(n));
  const body = { sizeBytes: size, sha256: whole.digest('hex') };
  const big = () => organization.admin.ok('createUpload', { body });
  const numbers = ({ parts }: Upload) => parts.map(({ partNumber }) => partNumber);

  test('continues after a broken connection with the missing parts', async () => {
    const upload = await big();
    expect(upload.parts.map(({ sizeBytes }) => sizeBytes)).toEqual([PART_BYTES, PART_BYTES, size - 2 * PART_BYTES]);
    const [one, two, three] = upload.parts;
    if (!one || !two || !three) throw new Error('three parts');
    expect(await put(three, part(3))).toBe(200);
    expect(await put(one, part(2).subarray(1))).toBe(403);
    expect(await put(one, part(1))).toBe(200);
    const later = await show(upload.uploadId);
    expect(numbers(later)).toEqual([2]);
    await expect(read(upload.uploadId)).rejects.toMatchObject({
      code: 'upload_incomplete',
      details: [{ path: 'parts.2', message: 'not uploaded' }],
    });
    const [left] = later.parts;
    if (!left) throw new Error('nothing left to send');
    expect(await put(left, part(2))).toBe(200);
    expect(await show(upload.uploadId)).toMatchObject({ state: 'uploaded', parts: [] });
    expect(await read(upload.uploadId)).toEqual({ sha256: body.sha256, length: size });
    expect((await read(upload.uploadId)).length).toBe(size);
  });

  test('is refused by its checksum when its parts are in the wrong order', async () => {
    const upload = await big();
    const [one, two, three] = upload.parts;
    if (!one || !two || !three) throw new Error('three parts');
    for (const [to, n] of [
      [one, 2],
      [two, 1],
      [three, 3],
    ] as const)
      expect(await put(to, part(n))).toBe(200);
    await expect(read(upload.uploadId)).rejects.toMatchObject({ code: 'invalid_report' });
  });
});
