import type { Readable } from 'node:stream';
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import { chunksOf } from './chunks.ts';
import type { Settings } from './env.ts';

/** The bucket of report files and scan states. Every key names the organization, behind a prefix where objects expire. */
export type Bucket = {
  put(key: string, body: string | Uint8Array): Promise<void>;
  /** @returns undefined when there is no such object */
  get(key: string): Promise<Uint8Array | undefined>;
  stream(key: string): Promise<Readable>;
  size(key: string): Promise<number | undefined>;
  remove(keys: readonly string[]): Promise<void>;
  /** The SDK client, for operations of only one area (multipart uploads). */
  client(): Promise<S3Client>;
  /** A client that signs addresses for callers: it adds no checksum, because it never sees the bytes. */
  signer(): Promise<S3Client>;
  name: string;
};

/** The most objects that one request removes. */
const MAX_REMOVED = 1_000;

export function openBucket({ BUCKET_NAME: Bucket, S3_ENDPOINT }: Settings): Bucket {
  const open = async (more: S3ClientConfig = {}) => {
    const { S3Client } = await import('@aws-sdk/client-s3');
    return new S3Client({ ...(S3_ENDPOINT && { endpoint: S3_ENDPOINT, forcePathStyle: true }), ...more });
  };
  let opened: Promise<S3Client> | undefined;
  let openedSigner: Promise<S3Client> | undefined;
  const client = () => {
    opened ??= open();
    return opened;
  };
  const signer = () => {
    openedSigner ??= open({ requestChecksumCalculation: 'WHEN_REQUIRED' });
    return openedSigner;
  };
  const read = async (Key: string) => {
    const { GetObjectCommand } = await import('@aws-sdk/client-s3');
    return (await client()).send(new GetObjectCommand({ Bucket, Key }));
  };
  return {
    name: Bucket,
    client,
    signer,
    async put(Key, Body) {
      const { PutObjectCommand } = await import('@aws-sdk/client-s3');
      await (await client()).send(new PutObjectCommand({ Bucket, Key, Body }));
    },
    async get(key) {
      const object = await absentAsUndefined(read(key));
      return object?.Body?.transformToByteArray();
    },
    async stream(key) {
      const { Body } = await read(key);
      if (!Body) throw new Error(`${key} is empty`);
      return Body as Readable;
    },
    async size(Key) {
      const { HeadObjectCommand } = await import('@aws-sdk/client-s3');
      const head = await absentAsUndefined((await client()).send(new HeadObjectCommand({ Bucket, Key })));
      return head?.ContentLength;
    },
    async remove(keys) {
      const { DeleteObjectsCommand } = await import('@aws-sdk/client-s3');
      const s3 = await client();
      const some = chunksOf(keys, MAX_REMOVED).map((part) => ({ Quiet: true, Objects: part.map((Key) => ({ Key })) }));
      const answers = await Promise.all(some.map((Delete) => s3.send(new DeleteObjectsCommand({ Bucket, Delete }))));
      const left = answers.flatMap(({ Errors = [] }) => Errors);
      if (left[0])
        throw new Error(
          `${left.length} of ${keys.length} objects were not removed: ${left[0].Key}: ${left[0].Message}`,
        );
    },
  };
}

async function absentAsUndefined<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof Error && ['NoSuchKey', 'NotFound'].includes(error.name)) return undefined;
    throw error;
  }
}
