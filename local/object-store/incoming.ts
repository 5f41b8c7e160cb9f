import type { Blobs, DigestName, Digests } from './blobs.ts';
import { decodeChunks } from './chunked-body.ts';
import type { StoredObject } from './object-index.ts';
import { S3Error } from './s3-error.ts';
import { amzParameter, header, type S3Request } from './s3-request.ts';

const checksumNames = ['crc32', 'sha1', 'sha256'] as const;
const otherChecksums = ['crc32c', 'crc64nvme'];

/** Writes the body of a request to a file while it arrives, and refuses a body that does not fit its headers. */
export async function receiveObject(request: S3Request, blobs: Blobs, modifiedAt: number): Promise<StoredObject> {
  const trailers = new Map<string, string>();
  const content = amzParameter(request, 'x-amz-content-sha256') ?? 'UNSIGNED-PAYLOAD';
  const body = content.startsWith('STREAMING-') ? decodeChunks(request.message, trailers) : request.message;
  const { blob, digests } = await blobs.write(body, wantedDigests(request, content));
  try {
    const checksum = verify(request, trailers, digests, content);
    const etag = `"${digests.get('md5')?.toString('hex')}"`;
    return { etag, size: blob.size, modifiedAt, headers: checksum, blobs: [blob] };
  } catch (error) {
    await blobs.remove([blob]);
    throw error;
  }
}

function wantedDigests(request: S3Request, content: string): Set<DigestName> {
  const wanted = new Set<DigestName>(['md5']);
  const announced = header(request, 'x-amz-trailer');
  for (const name of checksumNames) {
    const parameter = `x-amz-checksum-${name}`;
    if (announced === parameter || amzParameter(request, parameter) !== undefined) wanted.add(name);
  }
  for (const name of otherChecksums) {
    const parameter = `x-amz-checksum-${name}`;
    if (announced !== parameter && amzParameter(request, parameter) === undefined) continue;
    throw new S3Error(501, 'NotImplemented', `${name} is not known here: use ${checksumNames.join(', ')}.`);
  }
  if (/^[0-9a-f]{64}$/.test(content)) wanted.add('sha256');
  return wanted;
}

/** Answers the checksum headers that are stored with the object. */
function verify(request: S3Request, trailers: Map<string, string>, digests: Digests, content: string) {
  const sha256 = digests.get('sha256')?.toString('hex');
  if (/^[0-9a-f]{64}$/.test(content) && content !== sha256) {
    throw new S3Error(400, 'XAmzContentSHA256Mismatch', "The provided 'x-amz-content-sha256' does not match the body.");
  }
  const md5 = header(request, 'content-md5');
  if (md5 !== undefined && md5 !== digests.get('md5')?.toString('base64')) {
    throw new S3Error(400, 'BadDigest', 'The Content-MD5 you specified did not match what we received.');
  }
  const verified: Record<string, string> = {};
  for (const name of checksumNames) {
    const parameter = `x-amz-checksum-${name}`;
    const promised = trailers.get(parameter) ?? amzParameter(request, parameter);
    if (promised === undefined) continue;
    if (promised !== digests.get(name)?.toString('base64')) {
      throw new S3Error(400, 'BadDigest', `The ${name.toUpperCase()} you specified did not match what we received.`);
    }
    verified[parameter] = promised;
  }
  return verified;
}
