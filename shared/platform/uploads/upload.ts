import { createHash } from 'node:crypto';
import { givePlace, takePlace } from '../quotas/places.ts';
import type { Bucket } from '../runtime/bucket.ts';
import { ApiError, conflict, type ErrorDetail, FileError, notFound } from '../runtime/errors.ts';
import { retry } from '../runtime/retry.ts';
import type { Write } from '../table/io/commit.ts';
import { defineRow, putWrite } from '../table/io/row.ts';
import type { Table } from '../table/table.ts';
import { join, missingParts, partsOf, UPLOADS_PREFIX } from './parts.ts';

/** A file that a caller was allowed to put into the bucket, for one use. */
export type Upload = {
  id: string;
  /** The caller that made the upload; nobody else may use it. */
  owner: string;
  /** Bytes, as declared and signed. */
  size: number;
  /** SHA-256 of the bytes, base64 as S3 writes it. */
  checksum: string;
  key: string;
  /** The file's name, for people. */
  name?: string;
  /** S3's id of the upload in parts; without it the file is put whole. */
  multipartId?: string;
  createdAt: string;
  expiresAt: string;
  /** The task that used the upload. */
  usedBy?: string;
};

export const uploadRows = defineRow<Upload, Pick<Upload, 'id'>>({
  name: 'upload',
  about: 'a file that a caller may put into the bucket, for one use',
  key: ({ id }) => [id],
  expiresAt: ({ expiresAt }) => expiresAt,
});

export const uploadKey = (organizationId: string, id: string): string => `${UPLOADS_PREFIX}${organizationId}/${id}`;

/** The caller's own upload; to others it does not exist. @throws not_found */
export async function ownUpload(table: Table, id: string): Promise<Upload> {
  const upload = await table.rows(uploadRows).find({ id }, true);
  if (upload?.owner !== table.actor.id) throw notFound('upload', id);
  return upload;
}

/**
 * The caller's own upload, complete and unused (or used by `taskId`, when a request is repeated). Parts become one
 * file here.
 * @throws not_found, conflict, upload_incomplete
 */
export async function findUpload(bucket: Bucket, table: Table, { id, taskId }: { id: string; taskId: string }) {
  const upload = await ownUpload(table, id);
  if (upload.usedBy !== undefined && upload.usedBy !== taskId) throw used(id);
  const missing = await missingParts(bucket, upload);
  if (missing.length > 0) throw incomplete(upload, missing);
  await join(bucket, upload);
  return upload;
}

/** Names the missing parts, so that nobody sends a gigabyte again. */
function incomplete({ id, size }: Upload, missing: readonly { partNumber: number }[]): ApiError {
  const numbers = missing.map(({ partNumber }) => partNumber);
  const details: ErrorDetail[] = numbers.map((number) => ({ path: `parts.${number}`, message: 'not uploaded' }));
  const what = partsOf(size).length === 1 ? 'Nothing was uploaded' : `Part ${numbers.join(', ')} is missing`;
  return new ApiError('upload_incomplete', `${what} for ${id}: GET the upload for new addresses.`, { details });
}

/** The writes that take an upload for a task, which ends the upload's place; they fail when another task took it. */
export const useWrites = (table: Table, upload: Upload, taskId: string): Write[] => [
  putWrite(table.tenant, uploadRows, {
    row: { ...upload, usedBy: taskId },
    expect: { usedBy: upload.usedBy },
    fail: () => used(upload.id),
  }),
  givePlace(table.tenant, 'uploads', upload.id),
];

/** Makes a new upload known, in the place that it holds until it is used or expires. @throws limit_exceeded */
export const addUpload = (table: Table, upload: Upload): Promise<void> =>
  retry(async () => {
    const { id, size, expiresAt } = upload;
    const batch = table.batch();
    batch.write(putWrite(table.tenant, uploadRows, { row: upload, expect: 'absent' }));
    await takePlace(table, batch, { kind: 'uploads', id, amount: size, until: expiresAt });
    await batch.commit();
  });

/** The bytes of an upload. At their end, size and SHA-256 must equal the declared ones, whatever the store checked. */
export async function* readUpload(bucket: Bucket, { key, size, checksum }: Upload): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let read = 0;
  for await (const chunk of (await bucket.stream(key)) as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    read += chunk.length;
    yield chunk;
  }
  if (read !== size || hash.digest('base64') !== checksum)
    throw new FileError('invalid_report', 'The uploaded file differs from the declared file: upload it again.');
}

const used = (id: string): ApiError => conflict(`The upload ${id} was already used: create a new upload.`);
