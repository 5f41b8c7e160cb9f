import { createHash, randomUUID } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import * as z from 'zod';

/** A file of bytes that the store writes once. An object has one blob, or one per part, in order. */
export const Blob = z.object({ file: z.string(), size: z.number() });
export type Blob = z.infer<typeof Blob>;

const digestNames = ['md5', 'crc32', 'sha1', 'sha256'] as const;
export type DigestName = (typeof digestNames)[number];
export type Digests = Map<DigestName, Buffer>;

/** Bytes that are written and read at once: for a short file, most of the work of a stream is the stream itself. */
const AT_ONCE = 64 * 1024;

type Digest = { update(chunk: Buffer): void; digest(): Buffer };

/**
 * Files of bytes in a directory. No long file is ever in memory as a whole. A store whose bytes are lost at its end keeps the short files
 * in memory: to open and to remove a file takes longer than the rest of a request.
 */
export function openBlobs(directory: string, { isKept }: { isKept: boolean }) {
  mkdirSync(directory, { recursive: true });
  const pathOf = (blob: Blob) => join(directory, blob.file);
  const short = new Map<string, Buffer>();
  const writeShort = (path: string, bytes: Buffer) => (isKept ? writeFileSync(path, bytes) : short.set(path, bytes));
  const readShort = (path: string): Buffer => short.get(path) ?? readFileSync(path);

  return {
    async write(body: AsyncIterable<Buffer>, wanted: Iterable<DigestName>): Promise<{ blob: Blob; digests: Digests }> {
      const blob = { file: randomUUID(), size: 0 };
      const running = new Map([...wanted].map((name) => [name, newDigest(name)]));
      try {
        await writeFrom(observe(body, blob, running), pathOf(blob), writeShort);
      } catch (error) {
        await rm(pathOf(blob), { force: true });
        throw error;
      }
      return { blob, digests: new Map([...running].map(([name, digest]) => [name, digest.digest()])) };
    },

    /** The bytes `start` to `end`, both included, of the blobs laid end to end. */
    async *read(blobs: Blob[], start: number, end: number) {
      let offset = 0;
      for (const blob of blobs) {
        const from = Math.max(0, start - offset);
        const to = Math.min(blob.size - 1, end - offset);
        if (from <= to && blob.size <= AT_ONCE) yield readShort(pathOf(blob)).subarray(from, to + 1);
        else if (from <= to) yield* createReadStream(pathOf(blob), { start: from, end: to });
        offset += blob.size;
      }
    },

    async remove(blobs: Blob[]): Promise<void> {
      const long = blobs.map(pathOf).filter((path) => !short.delete(path));
      await Promise.all(long.map((path) => rm(path, { force: true })));
    },

    /** Removes files that a killed process wrote before it could add them to the index. */
    removeAllBut(known: Set<string>): void {
      for (const file of readdirSync(directory)) if (!known.has(file)) rmSync(join(directory, file));
    },
  };
}

export type Blobs = ReturnType<typeof openBlobs>;

type WriteShort = (path: string, bytes: Buffer) => void;

async function writeFrom(body: AsyncGenerator<Buffer>, path: string, writeShort: WriteShort): Promise<void> {
  const start: Buffer[] = [];
  for (let bytes = 0; bytes <= AT_ONCE; ) {
    const { done, value } = await body.next();
    if (done) return writeShort(path, Buffer.concat(start));
    start.push(value);
    bytes += value.length;
  }
  const whole = async function* () {
    yield* start;
    yield* body;
  };
  await pipeline(whole, createWriteStream(path));
}

async function* observe(body: AsyncIterable<Buffer>, blob: Blob, digests: Map<DigestName, Digest>) {
  for await (const chunk of body) {
    blob.size += chunk.length;
    for (const digest of digests.values()) digest.update(chunk);
    yield chunk;
  }
}

function newDigest(name: DigestName): Digest {
  if (name !== 'crc32') return createHash(name);
  let value = 0;
  return {
    update: (chunk) => {
      value = crc32(chunk, value);
    },
    digest: () => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    },
  };
}
