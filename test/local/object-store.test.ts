import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureBucket } from '#local/bucket-setup.ts';
import { localCredentials, localRegion } from '#local/credentials.ts';
import type { Engine } from '#local/engine-process.ts';
import { startObjectStore } from '#local/object-store/server.ts';

const Bucket = 'reports';
const megabyte = 1024 * 1024;
let engine: Engine;
let s3: S3Client;
/** Signs addresses like the service, with the given checksum instead of one of the SDK. */
let signer: S3Client;

beforeAll(async () => {
  engine = await startObjectStore({});
  const config = {
    endpoint: engine.endpoint,
    region: localRegion,
    credentials: localCredentials,
    forcePathStyle: true,
  };
  s3 = new S3Client(config);
  signer = new S3Client({ ...config, requestChecksumCalculation: 'WHEN_REQUIRED' });
  await ensureBucket(s3, Bucket);
  await ensureBucket(s3, Bucket);
});
afterAll(async () => {
  s3.destroy();
  signer.destroy();
  await engine.stop();
});

const put = (Key: string, Body: Buffer | string, more = {}) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const read = async (Key: string, more = {}) => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
};
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('base64');

describe('an object', () => {
  test('comes back byte for byte with its headers, under any key', async () => {
    const Key = "a b/ü+%20&=?'(1)*/../x.json";
    const body = randomBytes(3 * megabyte);
    const more = { ContentType: 'application/json', Metadata: { scan: 's1' }, ChecksumSHA256: sha256(body) };
    const { ETag } = await put(Key, body, more);
    expect(await read(Key)).toEqual(body);
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key }));
    expect(head).toMatchObject({
      ETag,
      ContentLength: body.length,
      ContentType: 'application/json',
      Metadata: { scan: 's1' },
    });
  });

  test('can be written from a stream of unknown size, as a worker writes its chunks', async () => {
    const parts = [Buffer.alloc(70_000, 'a'), Buffer.alloc(5, 'b'), Buffer.alloc(200_000, 'c')];
    await s3.send(
      new PutObjectCommand({ Bucket, Key: 'streamed', Body: Readable.from(parts), ContentLength: 270_005 }),
    );
    expect(await read('streamed')).toEqual(Buffer.concat(parts));
  });

  test('can be read in part, so that a worker continues where it stopped', async () => {
    await put('ranged', '0123456789');
    expect(String(await read('ranged', { Range: 'bytes=2-4' }))).toBe('234');
    expect(String(await read('ranged', { Range: 'bytes=7-' }))).toBe('789');
    expect(String(await read('ranged', { Range: 'bytes=-2' }))).toBe('89');
    await expect(read('ranged', { Range: 'bytes=10-' })).rejects.toMatchObject({ name: 'InvalidRange' });
  });

  test('is not overwritten by a writer that wanted to create it, or to change another version', async () => {
    const { ETag } = await put('once', 'first', { IfNoneMatch: '*' });
    await expect(put('once', 'second', { IfNoneMatch: '*' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
    await put('once', 'third', { IfMatch: ETag });
    await expect(put('once', 'fourth', { IfMatch: ETag })).rejects.toMatchObject({ name: 'PreconditionFailed' });
    expect(String(await read('once'))).toBe('third');
  });

  test('can be copied with its headers, and stays when the original is deleted', async () => {
    const body = randomBytes(100_000);
    const { ETag } = await put('from/ü 1', body, { ContentType: 'image/png' });
    const CopySource = encodeURI(`${Bucket}/from/ü 1`);
    const copied = await s3.send(new CopyObjectCommand({ Bucket, Key: 'to/1', CopySource }));
    expect(copied.CopyObjectResult).toMatchObject({ ETag });
    await s3.send(new DeleteObjectCommand({ Bucket, Key: 'from/ü 1' }));
    expect(await read('to/1')).toEqual(body);
    expect(await s3.send(new HeadObjectCommand({ Bucket, Key: 'to/1' }))).toMatchObject({ ContentType: 'image/png' });
    const again = s3.send(new CopyObjectCommand({ Bucket, Key: 'to/2', CopySource }));
    await expect(again).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  test('is gone after its deletion, and deleting it again is no error', async () => {
    await put('gone', 'x');
    await s3.send(new DeleteObjectCommand({ Bucket, Key: 'gone' }));
    await s3.send(new DeleteObjectCommand({ Bucket, Key: 'gone' }));
    await expect(read('gone')).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(s3.send(new HeadObjectCommand({ Bucket, Key: 'gone' }))).rejects.toMatchObject({ name: 'NotFound' });
  });

  test('is listed by its prefix, page by page and in order, and many can be deleted at once', async () => {
    const keys = ['list/1', 'list/2', 'list/3', 'list/Z', 'list/é'];
    for (const key of [...keys, 'listing', 'lis']) await put(key, key);
    const page = { Bucket, Prefix: 'list/', MaxKeys: 3 };
    const first = await s3.send(new ListObjectsV2Command(page));
    const next = { ...page, ContinuationToken: first.NextContinuationToken };
    const second = await s3.send(new ListObjectsV2Command(next));
    expect([first, second].map((answer) => answer.Contents?.map((object) => object.Key))).toEqual([
      keys.slice(0, 3),
      keys.slice(3),
    ]);
    await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: keys.map((Key) => ({ Key })) } }));
    expect((await s3.send(new ListObjectsV2Command(page))).KeyCount).toBe(0);
  });
});

describe('a presigned address', () => {
  const content = Buffer.from('{"runs":[]}');

  async function address(Key: string, more = {}) {
    const command = new PutObjectCommand({
      Bucket,
      Key,
      ContentLength: content.length,
      ChecksumSHA256: sha256(content),
      IfNoneMatch: '*',
    });
    const headers = new Set(['x-amz-checksum-sha256', 'if-none-match']);
    return getSignedUrl(signer, command, {
      expiresIn: 60,
      signableHeaders: new Set([...headers, 'content-length', 'host']),
      unhoistableHeaders: headers,
      ...more,
    });
  }
  async function upload(url: string, body = content, headers = {}) {
    const all = { 'x-amz-checksum-sha256': sha256(content), 'if-none-match': '*', ...headers };
    const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(body), headers: all });
    return { status: answer.status, code: /<Code>(.*)<\/Code>/.exec(await answer.text())?.[1] };
  }

  test('takes exactly the promised upload, once', async () => {
    const url = await address('signed');
    expect(await upload(url)).toEqual({ status: 200 });
    expect(await upload(url)).toEqual({ status: 412, code: 'PreconditionFailed' });
    expect(await read('signed')).toEqual(content);
  });

  const other = Buffer.from('{"runs":{}}');
  test.each([
    ['another size', {}, Buffer.from('longer than promised'), 403, 'SignatureDoesNotMatch'],
    ['another content', {}, other, 400, 'BadDigest'],
    ['another checksum', { 'x-amz-checksum-sha256': sha256(other) }, other, 403, 'SignatureDoesNotMatch'],
    ['a header that nobody signed', { 'x-amz-meta-more': '1' }, content, 403, 'AccessDenied'],
  ])(
    'refuses %s, so that nobody stores anything that the service did not agree to',
    async (_, headers, body, status, code) => {
      const key = `refused-${code}-${status}-${body.length}`;
      expect(await upload(await address(key), body, headers)).toEqual({ status, code });
      await expect(read(key)).rejects.toMatchObject({ name: 'NoSuchKey' });
    },
  );

  test('refuses another key, and everything after its time', async () => {
    const url = await address('mine');
    expect(await upload(url.replace('/mine', '/yours'))).toEqual({ status: 403, code: 'SignatureDoesNotMatch' });
    const old = await address('mine', { signingDate: new Date(Date.now() - 61_000) });
    expect(await upload(old)).toEqual({ status: 403, code: 'AccessDenied' });
  });

  test('cannot be left out: nothing is read without a signature or with a foreign key', async () => {
    await put('secret', 'x');
    expect((await fetch(`${engine.endpoint}/${Bucket}/secret`)).status).toBe(403);
    const credentials = { ...localCredentials, secretAccessKey: 'guessed' };
    const stranger = new S3Client({
      endpoint: engine.endpoint,
      region: localRegion,
      credentials,
      forcePathStyle: true,
    });
    await expect(stranger.send(new GetObjectCommand({ Bucket, Key: 'secret' }))).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
    });
  });
});

describe('an upload in parts', () => {
  const parts = [randomBytes(5 * megabyte), randomBytes(6 * megabyte), randomBytes(100)];

  async function begin(Key: string) {
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    return { Bucket, Key, UploadId };
  }
  async function send(
    target: { Bucket: string; Key: string; UploadId: string | undefined },
    PartNumber: number,
    Body: Buffer,
  ) {
    const url = await getSignedUrl(signer, new UploadPartCommand({ ...target, PartNumber }), { expiresIn: 60 });
    const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(Body) });
    return { PartNumber, ETag: answer.headers.get('etag') ?? undefined };
  }

  test('becomes one object with all its bytes, even if a part was sent twice and out of order', async () => {
    const target = await begin('parts');
    await send(target, 2, randomBytes(5 * megabyte));
    const sent: Awaited<ReturnType<typeof send>>[] = [];
    for (const number of [3, 2, 1]) sent.unshift(await send(target, number, parts[number - 1] ?? Buffer.alloc(0)));
    const listed = await s3.send(new ListPartsCommand(target));
    expect(listed.Parts?.map((part) => part.Size)).toEqual(parts.map((part) => part.length));
    await s3.send(new CompleteMultipartUploadCommand({ ...target, MultipartUpload: { Parts: sent } }));
    const whole = Buffer.concat(parts);
    expect((await read('parts')).equals(whole)).toBe(true);
    const Range = `bytes=${5 * megabyte - 2}-${11 * megabyte + 1}`;
    expect((await read('parts', { Range })).equals(whole.subarray(5 * megabyte - 2, 11 * megabyte + 2))).toBe(true);
  });

  test('refuses small parts, wrong parts, and an aborted upload', async () => {
    const target = await begin('broken');
    const small = [await send(target, 1, Buffer.alloc(10)), await send(target, 2, Buffer.alloc(10))];
    const complete = (Parts: { PartNumber: number; ETag?: string }[]) =>
      s3.send(new CompleteMultipartUploadCommand({ ...target, MultipartUpload: { Parts } }));
    await expect(complete(small)).rejects.toMatchObject({ name: 'EntityTooSmall' });
    await expect(complete([{ PartNumber: 1, ETag: '"other"' }])).rejects.toMatchObject({ name: 'InvalidPart' });
    await s3.send(new AbortMultipartUploadCommand(target));
    await expect(complete(small.slice(0, 1))).rejects.toMatchObject({ name: 'NoSuchUpload' });
  });
});
