import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  return {
    /** A file that another one replaced is read to its end first: it was held open. */
    async look() {
      const present = await open(followed.file).catch(absent);
      if (held && present && (await isSame(held, present))) await present.close();
      else if (present) {
        if (held) await takeLines(held, followed);
        await held?.close();
        held = present;
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
  const text = await readFile(placeFile(followed), 'utf8').catch(absent);
  const known = text === undefined ? undefined : Place.parse(JSON.parse(text));
  if (known?.inode === inode && (await goesOn(handle, known))) return takeBehind(handle, followed, known);
  if (known) await takeRest(followed, known);
  const rotation = known ? known.rotation + 1 : 0;
  await takeBehind(handle, followed, { inode, offset: 0, head: '', headBytes: 0, rotation });
}

/** The lines that a renamed or copied file got after the last look. */
async function takeRest(followed: Followed, known: Place): Promise<void> {
  const former = await open(`${followed.file}.1`).catch(absent);
  if (!former) return;
  if (await goesOn(former, known)) await takeBehind(former, followed, { ...known, isWhole: true });
  await former.close();
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
