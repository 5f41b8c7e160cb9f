import { type Answer, xmlAnswer } from './answer.ts';
import type { Blobs } from './blobs.ts';
import { receiveObject } from './incoming.ts';
import type { ObjectIndex, StoredObject } from './object-index.ts';
import { noSuchKey, preconditionFailed, S3Error } from './s3-error.ts';
import { header, type S3Request } from './s3-request.ts';
import { textsOf } from './xml.ts';

export type Store = { index: ObjectIndex; blobs: Blobs; now: () => number };

const keptHeaders = /^(content-(type|encoding|disposition|language)|cache-control|x-amz-meta-.+)$/;

/** The headers that are stored with an object and answered when it is read. */
export function describedBy(request: S3Request): Record<string, string> {
  const given = Object.keys(request.message.headers).filter((name) => keptHeaders.test(name));
  const described = Object.fromEntries(given.map((name) => [name, header(request, name) ?? '']));
  const codings = described['content-encoding']?.split(',').map((coding) => coding.trim());
  const encoding = codings?.filter((coding) => coding !== 'aws-chunked').join(', ');
  if (encoding === '') delete described['content-encoding'];
  else if (encoding !== undefined) described['content-encoding'] = encoding;
  return { 'content-type': 'application/octet-stream', ...described };
}

/** `If-None-Match: *` only creates an object, `If-Match` only replaces that version. */
export function assertWritable(store: Store, request: S3Request): void {
  const present = store.index.find(request.bucket, request.key);
  const expected = header(request, 'if-match');
  if (expected !== undefined && present === undefined) throw noSuchKey();
  if (expected !== undefined && present?.etag !== expected) throw preconditionFailed();
  if (header(request, 'if-none-match') === '*' && present !== undefined) throw preconditionFailed();
}

export async function putObject(store: Store, request: S3Request): Promise<Answer> {
  assertWritable(store, request);
  const received = await receiveObject(request, store.blobs, store.now());
  try {
    await replace(store, request, { ...received, headers: { ...describedBy(request), ...received.headers } });
  } catch (error) {
    await store.blobs.remove(received.blobs);
    throw error;
  }
  return { status: 200, headers: { etag: received.etag, ...received.headers } };
}

/** Copies an object of the same store with its headers, and computes the checksum that is asked for. */
export async function copyObject(store: Store, request: S3Request): Promise<Answer> {
  const source = decodeURIComponent(header(request, 'x-amz-copy-source') ?? '').replace(/^\//, '');
  const [bucket = '', ...key] = source.split('/');
  const object = store.index.find(bucket, key.join('/'));
  if (object === undefined) throw noSuchKey();
  const wanted = header(request, 'x-amz-checksum-algorithm') === 'SHA256' ? (['sha256'] as const) : [];
  const { blob, digests } = await store.blobs.write(store.blobs.read(object.blobs, 0, object.size - 1), wanted);
  const ChecksumSHA256 = digests.get('sha256')?.toString('base64');
  const headers = { ...object.headers, ...(ChecksumSHA256 && { 'x-amz-checksum-sha256': ChecksumSHA256 }) };
  const modifiedAt = store.now();
  await replace(store, request, { ...object, headers, blobs: [blob], modifiedAt });
  const LastModified = new Date(modifiedAt).toISOString();
  return xmlAnswer('CopyObjectResult', { ETag: object.etag, LastModified, ChecksumSHA256 });
}

/** Checks the condition again, because another writer may have been faster while the body arrived. */
async function replace(store: Store, request: S3Request, object: StoredObject): Promise<void> {
  assertWritable(store, request);
  const old = store.index.find(request.bucket, request.key);
  store.index.put(request.bucket, request.key, object);
  await store.blobs.remove(old?.blobs ?? []);
}

export function getObject(store: Store, request: S3Request): Answer {
  const object = store.index.find(request.bucket, request.key);
  if (object === undefined) throw noSuchKey();
  const expected = header(request, 'if-match');
  if (expected !== undefined && expected !== object.etag) throw preconditionFailed();
  const headers = { ...headersOf(object), ...wantedHeaders(request) };
  if (header(request, 'if-none-match') === object.etag) return { status: 304, headers: { etag: object.etag } };
  const range = rangeOf(header(request, 'range'), object.size);
  if (range === undefined) {
    const body = store.blobs.read(object.blobs, 0, object.size - 1);
    return { status: 200, headers: { ...headers, 'content-length': String(object.size) }, body };
  }
  const [start, end] = range;
  const partial = {
    'content-range': `bytes ${start}-${end}/${object.size}`,
    'content-length': String(end - start + 1),
  };
  // A checksum of the whole object would look like the checksum of the part.
  const described = Object.entries(headers).filter(([name]) => !name.startsWith('x-amz-checksum-'));
  const body = store.blobs.read(object.blobs, start, end);
  return { status: 206, headers: { ...Object.fromEntries(described), ...partial }, body };
}

/** A signed address may name the headers of its answer: `response-content-type` and others. */
const wantedHeaders = ({ query }: S3Request): Record<string, string> =>
  Object.fromEntries(
    [...query].flatMap(([name, value]) =>
      name.startsWith('response-') ? [[name.slice('response-'.length), value]] : [],
    ),
  );

function headersOf(object: StoredObject): Record<string, string> {
  const modified = new Date(object.modifiedAt).toUTCString();
  return { ...object.headers, etag: object.etag, 'last-modified': modified, 'accept-ranges': 'bytes' };
}

function rangeOf(text: string | undefined, size: number): [start: number, end: number] | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(text ?? '') ?? [];
  if (!first && !last) return undefined;
  const start = first ? Number(first) : Math.max(0, size - Number(last));
  const end = first && last ? Math.min(Number(last), size - 1) : size - 1;
  if (start > end) throw new S3Error(416, 'InvalidRange', 'The requested range is not satisfiable');
  return [start, end];
}

export async function deleteObject(store: Store, request: S3Request): Promise<Answer> {
  await removeKey(store, request.bucket, request.key);
  return { status: 204 };
}

export async function deleteObjects(store: Store, request: S3Request): Promise<Answer> {
  const keys = textsOf(await textOf(request), 'Key');
  await Promise.all(keys.map((key) => removeKey(store, request.bucket, key)));
  return xmlAnswer('DeleteResult', { Deleted: keys.map((Key) => ({ Key })) });
}

async function removeKey(store: Store, bucket: string, key: string): Promise<void> {
  const object = store.index.find(bucket, key);
  store.index.remove(bucket, key);
  await store.blobs.remove(object?.blobs ?? []);
}

/** Reads the body of a request with a small XML document. */
export async function textOf(request: S3Request): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request.message) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** ListObjectsV2 without delimiters, which the service does not use. */
export function listObjects(store: Store, request: S3Request): Answer {
  const { query, bucket } = request;
  const prefix = query.get('prefix') ?? '';
  const limit = Math.min(1_000, Number(query.get('max-keys') ?? 1_000));
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const found = store.index.list(bucket, { prefix, after, limit: limit + 1 });
  const page = found.slice(0, limit);
  const truncated = found.length > limit;
  return xmlAnswer('ListBucketResult', {
    Name: bucket,
    Prefix: prefix,
    KeyCount: page.length,
    MaxKeys: limit,
    IsTruncated: truncated,
    NextContinuationToken: truncated ? page.at(-1)?.key : undefined,
    Contents: page.map(({ key, object }) => ({
      Key: key,
      LastModified: new Date(object.modifiedAt).toISOString(),
      ETag: object.etag,
      Size: object.size,
      StorageClass: 'STANDARD',
    })),
  });
}
