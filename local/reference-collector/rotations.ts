import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { absent } from '../reference-machine/absent.ts';

/** The bytes of a file from a place on, so many at most; fewer at its end. */
export type Read = (from: number, length: number) => Promise<Buffer>;

/** A file that a rotation made. Nobody writes to it for long, and `mark` changes where somebody does. */
export type Rotated = { inode: number; mark: string; size: number; read: Read; close: () => Promise<void> };

/** The ends of the names that rotations give, a number or a day, and of those that compress. */
const NUMBERED = /^\.(\d{1,4})(?:\.(?:gz|zst))?$/;
const DATED = /^[.-]\d{4}-?\d{2}-?\d{2}[\dT._-]*(?:\.(?:gz|zst))?$/;
const COMPRESSED = /\.(?:gz|zst)$/;

/**
 * Opens the files that rotations made of a file: those with numbers, of which the greatest is the oldest, and those with days, the oldest
 * first. A file that is renamed or compressed meanwhile would be missed, so that all are opened again until none was.
 */
export async function openRotations(file: string): Promise<Rotated[][]> {
  for (;;) {
    const kinds = await namesOf(file);
    const opened = await Promise.all(kinds.map((names) => Promise.all(names.map(openRotated))));
    const all = opened.flat();
    const inodes = await Promise.all((await namesOf(file)).flat().map(inodeOf));
    if (String(inodes) === String(all.map((one) => one?.inode)))
      return opened.map((some) => some.filter((one) => one !== undefined));
    await Promise.all(all.map((one) => one?.close()));
  }
}

const inodeOf = async (name: string): Promise<number | undefined> => (await stat(name).catch(absent))?.ino;

async function namesOf(file: string): Promise<string[][]> {
  const names = (await readdir(dirname(file))).filter((name) => name.startsWith(basename(file)));
  const ends = names.map((name) => name.slice(basename(file).length));
  // gzip removes a file once the compressed one is whole
  const single = ends.filter((end) => !COMPRESSED.test(end) || !ends.includes(end.replace(COMPRESSED, '')));
  const numberOf = (end: string) => Number(NUMBERED.exec(end)?.[1]);
  const numbered = single.filter((end) => NUMBERED.test(end)).toSorted((a, b) => numberOf(b) - numberOf(a));
  const dated = single.filter((end) => DATED.test(end)).toSorted();
  return [numbered, dated].map((some) => some.map((end) => `${file}${end}`));
}

async function openRotated(name: string): Promise<Rotated | undefined> {
  const handle = await open(name).catch(absent);
  if (!handle) return undefined;
  const { ino: inode, size, mtimeMs } = await handle.stat();
  const mark = `${inode} ${size} ${mtimeMs}`;
  if (!COMPRESSED.test(name)) return { inode, mark, size, read: readerOf(handle), close: () => handle.close() };
  const { read, stop } = unpackedOf(handle, name);
  const close = async () => {
    stop();
    await handle.close();
  };
  return { inode, mark, size: Number.POSITIVE_INFINITY, read, close };
}

export const readerOf =
  (handle: FileHandle): Read =>
  async (from, length) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  };

/** Reads what a file had before it was compressed, a piece at a time; a read before the last one begins again. */
function unpackedOf(handle: FileHandle, name: string): { read: Read; stop: () => void } {
  let unpacking: ReturnType<typeof unpackingOf> | undefined;
  let held: Buffer = Buffer.alloc(0);
  let heldFrom = 0;
  const stop = () => unpacking?.stop();
  const forget = (to: number) => {
    const known = Math.min(to - heldFrom, held.length);
    held = held.subarray(known);
    heldFrom += known;
  };
  return {
    async read(from, length) {
      if (!unpacking || from < heldFrom) {
        stop();
        unpacking = unpackingOf(handle, name);
        [held, heldFrom] = [Buffer.alloc(0), 0];
      }
      forget(from);
      while (heldFrom + held.length < from + length) {
        const more = await unpacking.next();
        if (!more) break;
        held = Buffer.concat([held, more]);
        forget(from);
      }
      return heldFrom === from ? held.subarray(0, length) : Buffer.alloc(0);
    },
    stop,
  };
}

/** The pieces of a compressed file, to its end or to its damage. */
function unpackingOf(handle: FileHandle, name: string) {
  const packed = handle.createReadStream({ start: 0, autoClose: false });
  const unpack = name.endsWith('.gz') ? createGunzip() : createZstdDecompress();
  const pieces: AsyncIterator<Buffer> = pipeline(packed, unpack, () => undefined)[Symbol.asyncIterator]();
  return {
    async next(): Promise<Buffer | undefined> {
      try {
        return (await pieces.next()).value;
      } catch (error) {
        console.error(`${name} is damaged: its lines are read up to there`, error);
        return undefined;
      }
    },
    stop: () => unpack.destroy(),
  };
}
