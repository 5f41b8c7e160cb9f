import { createHash, randomUUID } from 'node:crypto';
import { type Answer, xmlAnswer } from './answer.ts';
import { receiveObject } from './incoming.ts';
import type { StoredObject, Upload } from './object-index.ts';
import { assertWritable, describedBy, type Store, textOf } from './objects.ts';
import { noSuchUpload, S3Error } from './s3-error.ts';
import type { S3Request } from './s3-request.ts';
import { textsOf } from './xml.ts';

/** AWS refuses smaller parts, except the last one. */
const smallestPart = 5 * 1024 * 1024;

export function createUpload(store: Store, request: S3Request): Answer {
  const id = randomUUID();
  const { bucket, key } = request;
  store.index.addUpload(id, { bucket, key, headers: describedBy(request) });
  return xmlAnswer('InitiateMultipartUploadResult', { Bucket: bucket, Key: key, UploadId: id });
}

export async function uploadPart(store: Store, request: S3Request): Promise<Answer> {
  const { id } = uploadOf(store, request);
  const number = Number(request.query.get('partNumber'));
  if (!(Number.isInteger(number) && number >= 1 && number <= 10_000)) {
    throw new S3Error(400, 'InvalidArgument', 'Part number must be an integer between 1 and 10000, inclusive');
  }
  const part = await receiveObject(request, store.blobs, store.now());
  const old = store.index.parts(id).get(number);
  store.index.putPart(id, number, part);
  await store.blobs.remove(old?.blobs ?? []);
  return { status: 200, headers: { etag: part.etag, ...part.headers } };
}

export function listParts(store: Store, request: S3Request): Answer {
  const { id, upload } = uploadOf(store, request);
  const parts = [...store.index.parts(id)].map(([PartNumber, part]) => ({
    PartNumber,
    LastModified: new Date(part.modifiedAt).toISOString(),
    ETag: part.etag,
    Size: part.size,
  }));
  const { bucket: Bucket, key: Key } = upload;
  return xmlAnswer('ListPartsResult', { Bucket, Key, UploadId: id, IsTruncated: false, Part: parts });
}

/** The object is the list of its parts' files, so that completing costs the same for any size. */
export async function completeUpload(store: Store, request: S3Request): Promise<Answer> {
  const { id, upload } = uploadOf(store, request);
  const stored = store.index.parts(id);
  const chosen = chooseParts(await textOf(request), stored);
  assertWritable(store, request);
  const object = joined(chosen, upload, store.now());
  const replaced = store.index.find(upload.bucket, upload.key);
  const unused = [...stored.values()].filter((part) => !chosen.includes(part));
  store.index.inOneStep(() => {
    store.index.put(upload.bucket, upload.key, object);
    store.index.removeUpload(id);
  });
  await store.blobs.remove([...(replaced?.blobs ?? []), ...unused.flatMap((part) => part.blobs)]);
  return xmlAnswer('CompleteMultipartUploadResult', { Bucket: upload.bucket, Key: upload.key, ETag: object.etag });
}

export async function abortUpload(store: Store, request: S3Request): Promise<Answer> {
  const { id } = uploadOf(store, request);
  const parts = [...store.index.parts(id).values()];
  store.index.inOneStep(() => store.index.removeUpload(id));
  await store.blobs.remove(parts.flatMap((part) => part.blobs));
  return { status: 204 };
}

function uploadOf(store: Store, request: S3Request): { id: string; upload: Upload } {
  const id = request.query.get('uploadId') ?? '';
  const upload = store.index.findUpload(id);
  if (upload === undefined || upload.bucket !== request.bucket || upload.key !== request.key) throw noSuchUpload();
  return { id, upload };
}

function chooseParts(xml: string, stored: Map<number, StoredObject>): StoredObject[] {
  const wanted = textsOf(xml, 'Part').map((part) => ({
    number: Number(textsOf(part, 'PartNumber')[0]),
    etag: (textsOf(part, 'ETag')[0] ?? '').replaceAll('&quot;', '"').replaceAll('"', ''),
  }));
  if (wanted.length === 0) throw new S3Error(400, 'MalformedXML', 'The list of parts is empty.');
  return wanted.map(({ number, etag }, position) => {
    const part = stored.get(number);
    if (part === undefined || part.etag !== `"${etag}"`) {
      throw new S3Error(400, 'InvalidPart', `Part ${number} could not be found, or has another ETag.`);
    }
    if (position > 0 && number <= (wanted[position - 1]?.number ?? 0)) {
      throw new S3Error(400, 'InvalidPartOrder', 'The list of parts was not in ascending order.');
    }
    if (position < wanted.length - 1 && part.size < smallestPart) {
      throw new S3Error(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size');
    }
    return part;
  });
}

function joined(parts: StoredObject[], upload: Upload, modifiedAt: number): StoredObject {
  const digests = parts.map((part) => Buffer.from(part.etag.replaceAll('"', ''), 'hex'));
  const digest = createHash('md5').update(Buffer.concat(digests)).digest('hex');
  return {
    etag: `"${digest}-${parts.length}"`,
    size: parts.reduce((sum, part) => sum + part.size, 0),
    modifiedAt,
    headers: upload.headers,
    blobs: parts.flatMap((part) => part.blobs),
  };
}
