import type { Bucket } from './bucket.ts';
import { beginParts, joinParts, putPart } from './bucket-parts.ts';

/** S3 wants 5 MiB, and takes 10,000 parts: 80 GB. */
export const PART_BYTES = 8 * 1024 * 1024;

/** Writes an object of any size with the memory of one part. A small one is put whole. @returns its size in bytes */
export async function writeFile(
  bucket: Bucket,
  key: string,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<number> {
  const tags: string[] = [];
  let uploadId: string | undefined;
  let part: Buffer[] = [];
  let bytes = 0;
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    const piece = Buffer.from(chunk);
    part.push(piece);
    bytes += piece.length;
    if (bytes < PART_BYTES) continue;
    uploadId ??= await beginParts(bucket, key);
    tags.push(await putPart(bucket, { key, uploadId, number: tags.length + 1 }, Buffer.concat(part)));
    sizeBytes += bytes;
    part = [];
    bytes = 0;
  }
  const last = Buffer.concat(part);
  if (uploadId === undefined) await bucket.put(key, last);
  else {
    if (bytes > 0) tags.push(await putPart(bucket, { key, uploadId, number: tags.length + 1 }, last));
    await joinParts(bucket, { key, uploadId }, tags);
  }
  return sizeBytes + bytes;
}
