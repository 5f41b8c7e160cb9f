import { createHash } from 'node:crypto';
import type { Bucket } from '../bucket.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { ReportError } from '../reports/report.ts';
import { defineRow, putWrite } from '../table/row.ts';
import type { Table } from '../table/table.ts';

/** A file that a caller was allowed to put into the bucket, for one use. */
export type Upload = {
  id: string;
  /** Who asked for it; nobody else may use it. */
  owner: string;
  /** Bytes, as declared and signed. */
  size: number;
  /** SHA-256 of the bytes, base64 as S3 writes it. */
  checksum: string;
  key: string;
  createdAt: string;
  expiresAt: string;
  /** The task that took it. */
  usedBy?: string;
};

export const uploadRows = defineRow<Upload, Pick<Upload, 'id'>>({
  name: 'upload',
  key: ({ id }) => [id],
  expiresAt: ({ expiresAt }) => expiresAt,
});

/**
 * The caller's own upload, complete and unused (or used by `taskId`, when a request is repeated).
 * @throws not_found, conflict, upload_incomplete
 */
export async function findUpload(bucket: Bucket, table: Table, { id, taskId }: { id: string; taskId: string }) {
  const upload = await table.rows(uploadRows).find({ id }, true);
  if (!upload || upload.owner !== table.actor.id) throw notFound('upload', id);
  if (upload.usedBy !== undefined && upload.usedBy !== taskId) throw used(id);
  const size = await bucket.size(upload.key);
  if (size === undefined)
    throw new ApiError('upload_incomplete', `Nothing was uploaded for ${id} yet: send the file first.`);
  if (size !== upload.size)
    throw new ApiError('upload_incomplete', `The upload ${id} has ${size} of ${upload.size} bytes: send it again.`);
  return upload;
}

/** The write that takes an upload for a task; it fails when another task took it. */
export const useWrite = (table: Table, upload: Upload, taskId: string) =>
  putWrite(table.scope, uploadRows, {
    row: { ...upload, usedBy: taskId },
    expect: { usedBy: upload.usedBy },
    fail: () => used(upload.id),
  });

/** The bytes of an upload. At their end, size and SHA-256 must be the declared ones, whatever the store checked. */
export async function* readUpload(bucket: Bucket, { key, size, checksum }: Upload): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let read = 0;
  for await (const chunk of (await bucket.stream(key)) as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    read += chunk.length;
    yield chunk;
  }
  if (read !== size || hash.digest('base64') !== checksum)
    throw new ReportError('invalid_report', 'The uploaded file is not the one that was declared: upload it again.');
}

const used = (id: string): ApiError => new ApiError('conflict', `The upload ${id} was used already: make a new one.`);
