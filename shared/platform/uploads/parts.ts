import type { Part as S3Part } from '@aws-sdk/client-s3';
import type { Bucket } from '../runtime/bucket.ts';
import { isGone, joinParts } from '../runtime/bucket-parts.ts';

/** One prefix for all organizations, so that the bucket itself removes unused uploads. */
export const UPLOADS_PREFIX = 'uploads/';

/** Up to here a file is put whole; above, in parts of this size, so that a slow link loses one part at most. */
export const PART_BYTES = 64 * 1024 * 1024;

export type Part = { partNumber: number; sizeBytes: number };

type StoredFile = { key: string; size: number; multipartId?: string };

export function partsOf(size: number): Part[] {
  const count = Math.ceil(size / PART_BYTES);
  return Array.from({ length: count }, (_, n) => ({
    partNumber: n + 1,
    sizeBytes: Math.min(PART_BYTES, size - n * PART_BYTES),
  }));
}

/** The missing parts. A part whose size differs from the signed one is missing. */
export async function missingParts(bucket: Bucket, upload: StoredFile): Promise<Part[]> {
  const parts = partsOf(upload.size);
  if ((await bucket.size(upload.key)) === upload.size) return [];
  const sent = await sentParts(bucket, upload);
  return parts.filter(({ partNumber, sizeBytes }) => sent.get(partNumber)?.Size !== sizeBytes);
}

/** Makes one object of the parts. Nothing happens to a file that was put whole, or joined already. */
export async function join(bucket: Bucket, upload: StoredFile): Promise<void> {
  const { key, multipartId: uploadId } = upload;
  if (uploadId === undefined) return;
  const sent = await sentParts(bucket, upload);
  if (sent.size === 0) return;
  const tags = partsOf(upload.size).map(({ partNumber }) => sent.get(partNumber)?.ETag);
  await joinParts(bucket, { key, uploadId }, tags).catch(unlessGone);
}

/** At most 16 parts (1 GiB), so they come in one answer. None when the parts were joined or given up. */
async function sentParts(
  bucket: Bucket,
  { key: Key, multipartId: UploadId }: StoredFile,
): Promise<Map<number, S3Part>> {
  if (UploadId === undefined) return new Map();
  const { ListPartsCommand } = await import('@aws-sdk/client-s3');
  const command = new ListPartsCommand({ Bucket: bucket.name, Key, UploadId });
  const listed = await (await bucket.client()).send(command).catch(unlessGone);
  return new Map(listed?.Parts?.map((part) => [part.PartNumber ?? 0, part]));
}

/** Another request joined the parts first. */
function unlessGone(error: unknown): undefined {
  if (isGone(error)) return undefined;
  throw error;
}
