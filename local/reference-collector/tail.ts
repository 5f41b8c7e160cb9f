import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { absent } from '../reference-machine/absent.ts';
import { replaceFile } from '../reference-machine/identity.ts';

/** The position up to which a file was read. `inode` distinguishes a file from another file that took its name. */
const Place = z.object({ inode: z.number(), offset: z.number() });

type Followed = {
  file: string;
  stateDirectory: string;
  /** Keeps lines; `name` is the same for the same lines. */
  take: (lines: string[], name: string) => Promise<void>;
};

/** The size of a read, so that a batch stays under the 4 MB of a request. */
const CHUNK = 1024 * 1024;

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
 * Reads the complete lines of a file after the last read position. Reads a truncated file from its beginning. Writes
 * the position after the lines are stored; after a crash in between, it stores the same lines again under the same
 * name.
 */
async function takeLines(handle: FileHandle, { file, stateDirectory, take }: Followed): Promise<void> {
  const digest = createHash('sha256').update(file).digest('hex').slice(0, 16);
  const placeFile = join(stateDirectory, `place-${digest}.json`);
  const { ino: inode, size } = await handle.stat();
  const text = await readFile(placeFile, 'utf8').catch(absent);
  const known = text === undefined ? undefined : Place.parse(JSON.parse(text));
  let offset = known?.inode === inode && known.offset <= size ? known.offset : 0;
  while (offset < size) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(CHUNK), 0, CHUNK, offset);
    const whole = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
    // a line that is longer than a batch is taken in pieces
    const end = whole || (bytesRead === CHUNK ? CHUNK : 0);
    if (end === 0) return;
    const lines = buffer.subarray(0, end).toString('utf8').split('\n').filter(Boolean);
    if (lines.length > 0) await take(lines, `${digest}-${inode}-${offset}`);
    offset += end;
    await replaceFile(placeFile, { inode, offset });
  }
}
