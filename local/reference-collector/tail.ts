import { createHash } from 'node:crypto';
import { type FileHandle, open, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { absent } from '../reference-machine/absent.ts';
import { replaceFile } from '../reference-machine/identity.ts';

/**
 * The position up to which a file was read. `inode` and the first bytes distinguish a file from another one that took its name, and
 * `rotation` the lines of a file from those that it has after it was emptied.
 */
const Place = z.object({
  inode: z.number(),
  offset: z.number(),
  head: z.string().default(''),
  headBytes: z.number().default(0),
  rotation: z.number().default(0),
});
type Place = z.infer<typeof Place>;

type Followed = {
  file: string;
  stateDirectory: string;
  /** Keeps lines; `name` is the same for the same lines. */
  take: (lines: string[], name: string) => Promise<void>;
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
  const { ino: inode } = await handle.stat();
  const known = await placeIn(followed);
  if (known?.inode === inode && (await goesOn(handle, known))) return takeBehind(handle, followed, known);
  if (known) await takeRest(followed, known);
  const { rotation = -1 } = (await placeIn(followed)) ?? {};
  await takeBehind(handle, followed, beginning({ inode, rotation: rotation + 1 }));
}

const beginning = (place: Pick<Place, 'inode' | 'rotation'>): Place => ({
  ...place,
  offset: 0,
  head: '',
  headBytes: 0,
});

async function placeIn(followed: Followed): Promise<Place | undefined> {
  const text = await readFile(placeFile(followed), 'utf8').catch(absent);
  return text === undefined ? undefined : Place.parse(JSON.parse(text));
}

/** The ends of the names that rotations give: a number, or a day. */
const NUMBERED = /^\.\d{1,4}$/;
const DATED = /^[.-]\d{4}-?\d{2}-?\d{2}[\dT._-]*$/;

/** The files that rotations made of a file, the oldest first: of numbers the greatest is the oldest. */
async function rotationsOf(file: string): Promise<string[][]> {
  const names = (await readdir(dirname(file))).filter((name) => name.startsWith(basename(file)));
  const ends = names.map((name) => name.slice(basename(file).length));
  const numbered = ends.filter((end) => NUMBERED.test(end)).toSorted((a, b) => Number(b.slice(1)) - Number(a.slice(1)));
  const dated = ends.filter((end) => DATED.test(end)).toSorted();
  return [numbered, dated].map((some) => some.map((end) => `${file}${end}`));
}

/** The lines that a renamed or copied file got after the last look, and those of the files that had its name since. */
async function takeRest(followed: Followed, known: Place): Promise<void> {
  for (const files of await rotationsOf(followed.file)) {
    const likeness = await Promise.all(files.map((file) => withFile(file, (handle) => likenessTo(known, handle))));
    const from = likeness.includes(SAME) ? likeness.indexOf(SAME) : likeness.lastIndexOf(COPY);
    if (from < 0) continue;
    for (const [n, file] of files.slice(from).entries())
      await withFile(file, async (handle) => {
        const { ino: inode } = await handle.stat();
        const place = n === 0 ? known : beginning({ inode, rotation: known.rotation + n });
        await takeBehind(handle, followed, { ...place, isWhole: true });
      });
    return;
  }
}

const [SAME, COPY] = ['same', 'copy'] as const;

async function likenessTo(known: Place, handle: FileHandle) {
  if (!(await goesOn(handle, known))) return undefined;
  return (await handle.stat()).ino === known.inode ? SAME : COPY;
}

async function withFile<T>(file: string, use: (handle: FileHandle) => Promise<T>): Promise<T | undefined> {
  const handle = await open(file).catch(absent);
  try {
    return handle && (await use(handle));
  } finally {
    await handle?.close();
  }
}

/** Whether a file has what was read up to a position. */
async function goesOn(handle: FileHandle, { offset, head, headBytes }: Place): Promise<boolean> {
  const { size } = await handle.stat();
  return size >= offset && (headBytes === 0 || head === (await headOf(handle, headBytes)));
}

async function headOf(handle: FileHandle, bytes: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
  return createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex');
}

const digestOf = ({ file }: Followed): string => createHash('sha256').update(file).digest('hex').slice(0, 16);
const placeFile = (followed: Followed): string => join(followed.stateDirectory, `place-${digestOf(followed)}.json`);

/**
 * Writes the position after the lines are stored; after a crash in between, it stores the same lines again under the same name. Nobody
 * writes to a file that `isWhole`: its last line is whole without its end.
 */
async function takeBehind(
  handle: FileHandle,
  followed: Followed,
  { isWhole = false, ...place }: Place & { isWhole?: boolean },
): Promise<void> {
  const { inode, rotation } = place;
  const { size } = await handle.stat();
  let { offset } = place;
  while (offset < size) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(CHUNK), 0, CHUNK, offset);
    const whole = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
    // a line that is longer than a batch is taken in pieces
    const end = whole || (bytesRead === CHUNK || isWhole ? bytesRead : 0);
    if (end === 0) return;
    const lines = buffer.subarray(0, end).toString('utf8').split('\n').filter(Boolean);
    if (lines.length > 0) await followed.take(lines, `${digestOf(followed)}-${inode}-${rotation}-${offset}`);
    offset += end;
    const headBytes = Math.min(offset, HEAD_BYTES);
    const head = await headOf(handle, headBytes);
    await replaceFile(placeFile(followed), { inode, offset, head, headBytes, rotation });
  }
}
