import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { absent } from '../reference-machine/absent.ts';
import { replaceFile } from '../reference-machine/identity.ts';
import { openRotations, type Read, type Rotated, readerOf } from './rotations.ts';

/**
 * The position up to which a file was read. `inode`, the first bytes and the last ones before the position distinguish a file from another
 * one that took its name, and `rotation` the lines of a file from those that it has after it was emptied.
 */
const Place = z.object({
  inode: z.number(),
  offset: z.number(),
  head: z.string().default(''),
  tail: z.string().default(''),
  headBytes: z.number().default(0),
  rotation: z.number().default(0),
});
type Place = z.infer<typeof Place>;

type Followed = {
  file: string;
  stateDirectory: string;
  /** Keeps lines; `name` is the same for the same lines. */
  take: (lines: string[], name: string) => Promise<void>;
  /** The inode of a file that was read to its end under another name. */
  ended?: number;
  /** The position and the rotated files that a look found without more lines. */
  settled?: string;
};

/** The size of a read, so that a batch stays under the 4 MB of a request. */
const CHUNK = 1024 * 1024;
const HEAD_BYTES = 256;

/** @returns a look at the file, and the end of looking */
export function follow(followed: Followed): { look: () => Promise<void>; close: () => Promise<void> } {
  let held: FileHandle | undefined;
  let isReplaced = false;
  return {
    /**
     * A file that another one replaced was held open and is read to its end first: in two looks, because its writer does not know at once
     * that its name is gone.
     */
    async look() {
      const present = await open(followed.file).catch(absent);
      const isOther = held !== undefined && present !== undefined && !(await isSame(held, present));
      if (held && isReplaced) await takeLines(held, followed);
      if (!held || (isOther && isReplaced)) {
        if (held) followed.ended = (await held.stat()).ino;
        await held?.close();
        [held, isReplaced] = [present, false];
      } else {
        await present?.close();
        isReplaced = isOther;
      }
      if (held) await takeLines(held, followed);
    },
    close: async () => held?.close(),
  };
}

const isSame = async (one: FileHandle, other: FileHandle): Promise<boolean> =>
  (await one.stat()).ino === (await other.stat()).ino;

/**
 * Reads the complete lines of a file after the last position. A file that begins in another way, or is shorter, was rotated: the rest of
 * the former one is read first.
 */
async function takeLines(handle: FileHandle, followed: Followed): Promise<void> {
  const { ino: inode, size } = await handle.stat();
  const read = readerOf(handle);
  const known = await placeIn(followed);
  if (known?.inode === inode && size >= known.offset && (await goesOn(read, known)))
    return takeBehind({ read, size }, followed, known);
  if (known) await takeRest(followed, known, inode);
  const { rotation = -1 } = (await placeIn(followed)) ?? {};
  await takeBehind({ read, size }, followed, beginning({ inode, rotation: rotation + 1 }));
}

const beginning = (place: Pick<Place, 'inode' | 'rotation'>): Place => ({
  ...place,
  offset: 0,
  head: '',
  tail: '',
  headBytes: 0,
});

async function placeIn(followed: Followed): Promise<Place | undefined> {
  const text = await readFile(placeFile(followed), 'utf8').catch(absent);
  return text === undefined ? undefined : Place.parse(JSON.parse(text));
}

/**
 * The lines that a renamed, copied or compressed file got after the last look, and those of the files that had its name since. `inode` is the file that
 * has its name now, which may be rotated in this moment.
 */
async function takeRest(followed: Followed, known: Place, inode: number): Promise<void> {
  const rotations = await openRotations(followed.file);
  const all = rotations.flat();
  const mark = JSON.stringify([known, all.map((one) => one.mark)]);
  try {
    // nothing is read again until something changed: a compressed file is read from its beginning
    if (followed.settled === mark) return;
    let isFound = false;
    for (const files of rotations) isFound ||= await takeOf(files, followed, { known, inode });
    if (!isFound && known.inode !== followed.ended)
      console.error(
        `${followed.file} was rotated, and no file beside it has what was read of it: its last lines are lost`,
      );
    followed.settled = JSON.stringify([await placeIn(followed), all.map((one) => one.mark)]);
  } finally {
    await Promise.all(all.map((one) => one.close()));
  }
}

type From = { known: Place; inode: number };

/** @returns whether a file that was read is among those of a rotation */
async function takeOf(files: readonly Rotated[], followed: Followed, { known, inode }: From): Promise<boolean> {
  const current = files.findIndex((one) => one.inode === inode);
  const former = current < 0 ? files : files.slice(0, current);
  const likeness: Awaited<ReturnType<typeof likenessTo>>[] = [];
  for (const one of former) likeness.push(await likenessTo(known, one));
  const from = likeness.includes(SAME) ? likeness.indexOf(SAME) : likeness.lastIndexOf(COPY);
  if (from < 0) return false;
  for (const [n, file] of former.slice(from).entries()) {
    const place = n === 0 ? known : beginning({ inode: file.inode, rotation: known.rotation + n });
    await takeBehind(file, followed, { ...place, isWhole: true });
  }
  return true;
}

const [SAME, COPY] = ['same', 'copy'] as const;

async function likenessTo(known: Place, { inode, size, read }: Rotated) {
  if (size < known.offset || !(await goesOn(read, known))) return undefined;
  return inode === known.inode ? SAME : COPY;
}

/** Whether a file has what was read up to a position: of its beginning and before the position, as many bytes. */
async function goesOn(read: Read, { offset, head, tail, headBytes }: Place): Promise<boolean> {
  if (headBytes === 0) return true;
  if (head !== digest(await read(0, headBytes))) return false;
  return tail === '' || tail === digest(await read(offset - headBytes, headBytes));
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const digestOf = ({ file }: Followed): string => createHash('sha256').update(file).digest('hex').slice(0, 16);
const placeFile = (followed: Followed): string => join(followed.stateDirectory, `place-${digestOf(followed)}.json`);

/**
 * Writes the position after the lines are stored; after a crash in between, it stores the same lines again under the same name. Nobody
 * writes to a file that `isWhole`: its last line is whole without its end.
 */
async function takeBehind(
  { read, size }: Pick<Rotated, 'read' | 'size'>,
  followed: Followed,
  { isWhole = false, ...place }: Place & { isWhole?: boolean },
): Promise<void> {
  const { inode, rotation } = place;
  let { offset, head, headBytes } = place;
  while (offset < size) {
    const bytes = await read(offset, CHUNK);
    const whole = bytes.lastIndexOf(0x0a) + 1;
    // a line that is longer than a batch is taken in pieces
    const end = whole || (bytes.length === CHUNK || isWhole ? bytes.length : 0);
    if (end === 0) return;
    const lines = bytes.subarray(0, end).toString('utf8').split('\n').filter(Boolean);
    // the inode is no part of the name: it changes when the file is compressed
    if (lines.length > 0) await followed.take(lines, `${digestOf(followed)}-${rotation}-${offset}`);
    offset += end;
    const isLonger = headBytes < Math.min(offset, HEAD_BYTES);
    headBytes = Math.min(offset, HEAD_BYTES);
    if (isLonger) head = digest(await read(0, headBytes));
    const tail = digest(
      end < headBytes ? await read(offset - headBytes, headBytes) : bytes.subarray(end - headBytes, end),
    );
    await replaceFile(placeFile(followed), { inode, offset, head, tail, headBytes, rotation });
  }
}
