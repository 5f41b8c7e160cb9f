import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { incomplete, reasonOf } from '../errors.ts';

/** A report as it is sent: packed, beside its name. */
export type Packed = { name: string; file: string; sizeBytes: number; decodedBytes: number; sha256: string };

export const STANDARD_INPUT = '-';

/** A source as messages name it. */
export const labelOf = (source: string): string => (source === STANDARD_INPUT ? 'standard input' : source);

/**
 * Packs a report into a temporary file, in constant memory. Packing is the same each time, so that a command that was killed
 * continues where it was. @throws incomplete for a report that is empty or cannot be read
 */
export async function pack(source: string, directory: string, index: number): Promise<Packed> {
  const isInput = source === STANDARD_INPUT;
  const label = labelOf(source);
  const name = isInput ? label : basename(source);
  const file = join(directory, `report-${index}.gz`);
  const hash = createHash('sha256');
  let [sizeBytes, readBytes] = [0, 0];
  const counting = counter((chunk) => {
    readBytes += chunk.length;
  });
  const measuring = counter((chunk) => {
    hash.update(chunk);
    sizeBytes += chunk.length;
  });
  try {
    const input = isInput ? process.stdin : createReadStream(source);
    const steps = (await isGzip(source)) ? [] : [createGzip()];
    await pipeline([Readable.from(input), counting, ...steps, measuring, createWriteStream(file, { mode: 0o600 })]);
  } catch (error) {
    throw incomplete(`${label} cannot be read: ${reasonOf(error)}`, 'Check that the scanner wrote the report.');
  }
  if (readBytes === 0)
    throw incomplete(`${label} is empty.`, 'The scanner has probably failed: look at its output before this step.');
  return { name, file, sizeBytes, decodedBytes: await decodedBytesOf(file, sizeBytes), sha256: hash.digest('hex') };
}

/** The last four bytes of a packed file are the size of what it holds (RFC 1952). */
async function decodedBytesOf(file: string, sizeBytes: number): Promise<number> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, Math.max(0, sizeBytes - 4));
    return buffer.readUInt32LE();
  } finally {
    await handle.close();
  }
}

const counter = (see: (chunk: Buffer) => void): Transform =>
  new Transform({
    transform(chunk: Buffer, _, done) {
      see(chunk);
      done(null, chunk);
    },
  });

/** Packed reports are sent as they are; standard input is packed again, which the service reads as well. */
async function isGzip(source: string): Promise<boolean> {
  if (source === STANDARD_INPUT || !(await stat(source)).isFile()) return false;
  const handle = await open(source);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}
