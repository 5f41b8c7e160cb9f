import { createHash } from 'node:crypto';
import type { Bucket } from './bucket.ts';

/** S3's id of an upload in parts, and the key of the object that it becomes. */
type PartsUpload = { key: string; uploadId: string };

/**
 * Begins an object that is put in parts. By the signer: with a checksum of the SDK's choice S3 would then want one with every
 * part.
 * @returns S3's id of the upload
 */
export async function beginParts(bucket: Bucket, Key: string): Promise<string> {
  const { CreateMultipartUploadCommand } = await import('@aws-sdk/client-s3');
  const begun = await (await bucket.signer()).send(new CreateMultipartUploadCommand({ Bucket: bucket.name, Key }));
  if (!begun.UploadId) throw new Error(`S3 gave no upload id for ${Key}`);
  return begun.UploadId;
}

/**
 * Puts one part, counted from 1, of at least 5 MiB unless it is the last.
 * @returns its entity tag, by which it is joined
 */
export async function putPart(bucket: Bucket, to: PartsUpload & { number: number }, Body: Uint8Array): Promise<string> {
  const { UploadPartCommand } = await import('@aws-sdk/client-s3');
  const { key: Key, uploadId: UploadId, number: PartNumber } = to;
  const command = new UploadPartCommand({ Bucket: bucket.name, Key, UploadId, PartNumber, Body });
  const { ETag } = await (await bucket.signer()).send(command);
  if (!ETag) throw new Error(`S3 gave no entity tag for part ${PartNumber} of ${Key}`);
  return ETag;
}

/** Makes one object of the parts with these entity tags. A part that was put again meanwhile is refused. */
export async function joinParts(
  bucket: Bucket,
  upload: PartsUpload,
  tags: readonly (string | undefined)[],
): Promise<void> {
  const { CompleteMultipartUploadCommand } = await import('@aws-sdk/client-s3');
  const Parts = tags.map((ETag, n) => ({ PartNumber: n + 1, ETag }));
  const { key: Key, uploadId: UploadId } = upload;
  const command = new CompleteMultipartUploadCommand({
    Bucket: bucket.name,
    Key,
    UploadId,
    MultipartUpload: { Parts },
  });
  await (await bucket.client()).send(command);
}

/** The parts were joined already, or given up. */
export const isGone = (error: unknown): boolean => error instanceof Error && error.name === 'NoSuchUpload';

type Download = { key: string; name: string; mediaType: string; seconds: number; shown?: boolean };

/**
 * Copies within the storage: the bytes never leave it.
 * @param from a key, or an earlier version of the same key
 * @returns the SHA-256 of the bytes, which the storage computed from the copy
 */
export async function copyObject(
  bucket: Bucket,
  from: string | { key: string; versionId: string },
  Key: string,
): Promise<string> {
  const { CopyObjectCommand } = await import('@aws-sdk/client-s3');
  const { key, versionId } = typeof from === 'string' ? { key: from } : from;
  const version = versionId === undefined ? '' : `?versionId=${encodeURIComponent(versionId)}`;
  const CopySource = `${encodeURI(`${bucket.name}/${key}`)}${version}`;
  const command = new CopyObjectCommand({ Bucket: bucket.name, Key, CopySource, ChecksumAlgorithm: 'SHA256' });
  const { CopyObjectResult } = await (await bucket.client()).send(command);
  if (!CopyObjectResult?.ChecksumSHA256) throw new Error(`S3 gave no checksum for the copy ${Key}`);
  return CopyObjectResult.ChecksumSHA256;
}

/**
 * The SHA-256 of an object's bytes in base64, as `copyObject` returns it. Reads the bytes only where the storage does
 * not know it: after an upload with another checksum, or in parts, whose checksums it joins (`...=-2`).
 */
export async function checksumOf(bucket: Bucket, Key: string): Promise<string> {
  const { HeadObjectCommand } = await import('@aws-sdk/client-s3');
  const asked = new HeadObjectCommand({ Bucket: bucket.name, Key, ChecksumMode: 'ENABLED' });
  const { ChecksumSHA256 } = await (await bucket.client()).send(asked);
  if (ChecksumSHA256 && !ChecksumSHA256.includes('-')) return ChecksumSHA256;
  const hash = createHash('sha256');
  for await (const chunk of await bucket.stream(Key)) hash.update(chunk);
  return hash.digest('base64');
}

/**
 * An address at which anyone may read the object for some seconds. A browser saves it under this name, and never shows it, unless it is
 * `shown`: only for a type in which a browser runs nothing, and for a file that this service wrote itself.
 */
export async function signDownload(bucket: Bucket, download: Download): Promise<string> {
  const { key: Key, name, mediaType, seconds, shown = false } = download;
  const [{ GetObjectCommand }, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ]);
  const command = new GetObjectCommand({
    Bucket: bucket.name,
    Key,
    ResponseContentType: mediaType,
    ResponseContentDisposition: `${shown ? 'inline' : 'attachment'}; filename*=UTF-8''${extended(name)}`,
  });
  return getSignedUrl(await bucket.signer(), command, { expiresIn: seconds });
}

/** A parameter's extended value (RFC 8187, section 3.2), which encodes more characters than a URI. */
const extended = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** The next 1,000 keys of the bucket in their order, behind a key and with a beginning; none at the end. */
export async function keysPage(
  bucket: Bucket,
  { prefix, after }: { prefix?: string | undefined; after?: string | undefined },
): Promise<string[]> {
  const { ListObjectsV2Command } = await import('@aws-sdk/client-s3');
  const list = new ListObjectsV2Command({ Bucket: bucket.name, Prefix: prefix, StartAfter: after });
  const { Contents = [] } = await (await bucket.client()).send(list);
  return Contents.flatMap(({ Key }) => Key ?? []);
}
