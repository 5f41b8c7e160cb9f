import type { PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import type { Part } from '#shared/platform/uploads/parts.ts';
import type { Upload as StoredUpload } from '#shared/platform/uploads/upload.ts';
import type { Upload } from './routes.ts';

/** Addresses are signed with the function's own credentials, which themselves change every few hours. */
export const URL_SECONDS = 3_600;

export async function signParts(
  bucket: Bucket,
  upload: StoredUpload,
  parts: readonly Part[],
): Promise<Upload['parts']> {
  const s3 = await bucket.signer();
  const sign = upload.multipartId === undefined ? signWhole : signPart;
  return Promise.all(parts.map((part) => sign(s3, { bucket, upload, part })));
}

type PartToSign = { bucket: Bucket; upload: StoredUpload; part: Part };

/**
 * The signature covers size, checksum and key. `If-None-Match` makes the address work once: nobody overwrites a checked
 * upload while a worker reads it.
 */
async function signWhole(s3: S3Client, { bucket, upload, part }: PartToSign): Promise<Upload['parts'][number]> {
  const [{ PutObjectCommand }, { getSignedUrl }] = await clients();
  const headers = { 'x-amz-checksum-sha256': upload.checksum, 'if-none-match': '*' };
  const input: PutObjectCommandInput = {
    Bucket: bucket.name,
    Key: upload.key,
    ContentLength: upload.size,
    ChecksumSHA256: upload.checksum,
    IfNoneMatch: '*',
  };
  const names = Object.keys(headers);
  const url = await getSignedUrl(s3, new PutObjectCommand(input), {
    expiresIn: URL_SECONDS,
    signableHeaders: new Set(['host', 'content-length', ...names]),
    unhoistableHeaders: new Set(names),
  });
  return { ...part, url, headers };
}

/** The signature covers the size of the part; the worker that reads the whole verifies its checksum. */
async function signPart(s3: S3Client, { bucket, upload, part }: PartToSign): Promise<Upload['parts'][number]> {
  const [{ UploadPartCommand }, { getSignedUrl }] = await clients();
  const command = new UploadPartCommand({
    Bucket: bucket.name,
    Key: upload.key,
    UploadId: upload.multipartId,
    PartNumber: part.partNumber,
    ContentLength: part.sizeBytes,
  });
  const signableHeaders = new Set(['host', 'content-length']);
  return { ...part, url: await getSignedUrl(s3, command, { expiresIn: URL_SECONDS, signableHeaders }), headers: {} };
}

const clients = () => Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/s3-request-presigner')]);
