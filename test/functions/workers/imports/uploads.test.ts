import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { acceptReport } from '#shared/ingest/accept.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { uploadKey, uploadRows } from '#shared/platform/uploads/upload.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

/** An upload whose bytes are there; `declared` is what its owner said they would be. */
async function uploaded(table: Table, bytes: Buffer, declared = bytes): Promise<string> {
  const id = newId();
  const checksum = createHash('sha256').update(declared).digest('base64');
  const key = uploadKey(table.organizationId, id);
  const times = { createdAt: now(), expiresAt: inSeconds(3600) };
  await table.rows(uploadRows).put({ id, owner: table.actor.id, size: bytes.length, checksum, key, ...times });
  await world.connections.bucket.put(key, bytes);
  return id;
}

const report = Buffer.from(sarif(problems(3)));

test('an upload is worked like inline content, packed or as a Windows shell saved it, its format recognised', async () => {
  const table = world.newOrganization();
  for (const [bytes, created] of [
    [report, 3],
    [gzipSync(report), 0],
    [Buffer.from(`\ufeff${report}`, 'utf16le'), 0],
    [Buffer.from(`\ufeff${report}`), 0],
  ] as const) {
    const uploadId = await uploaded(table, bytes);
    const task = await world.ingest(table, codeScan('', { format: 'auto', report: { uploadId } }));
    expect(task.result).toMatchObject({ created, unchanged: 3 - created });
  }
});

test('an upload is used once', async () => {
  const table = world.newOrganization();
  const submission = codeScan('', { report: { uploadId: await uploaded(table, report) } });
  await world.ingest(table, submission);
  await expect(acceptReport({ connections: world.connections, table }, submission)).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('a repeated request finds the task that took its upload', async () => {
  const table = world.newOrganization();
  const submission = codeScan('', { report: { uploadId: await uploaded(table, report) }, taskId: newId() });
  const first = await acceptReport({ connections: world.connections, table }, submission);
  await world.drain();
  expect((await acceptReport({ connections: world.connections, table }, submission)).taskId).toBe(first.taskId);
  await world.drain();
  expect((await world.task(table, first.taskId)).result).toMatchObject({ created: 3 });
});

test('requests that repeat each other at the same moment are all answered, and make one task', async () => {
  const table = world.newOrganization();
  const submission = codeScan('', { report: { uploadId: await uploaded(table, report) }, taskId: newId() });
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => acceptReport({ connections: world.connections, table }, submission)),
  );
  expect(new Set(answers.map(({ taskId }) => taskId))).toEqual(new Set([submission.taskId]));
  await world.drain();
  expect((await world.task(table, submission.taskId ?? '')).result).toMatchObject({ created: 3 });
});

test('bytes that are not the declared ones are not believed, whatever the store checked', async () => {
  const table = world.newOrganization();
  const other = Buffer.from('something else');
  const small = codeScan('', { report: { uploadId: await uploaded(table, report, other) } });
  await expect(acceptReport({ connections: world.connections, table }, small)).rejects.toMatchObject({
    code: 'validation_failed',
  });
  const large = Buffer.from(sarif(problems(3000)));
  const task = await world.ingest(table, codeScan('', { report: { uploadId: await uploaded(table, large, other) } }));
  expect(task).toMatchObject({ status: 'failed', error: { code: 'invalid_report' } });
  expect((await table.list(findings, { paginateFrom: 0, paginateSize: 1 })).totalCount).toBe(0);
});
