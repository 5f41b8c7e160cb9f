import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from './context.ts';
import { EXIT, Failure, reasonOf } from './errors.ts';

/** Fetches a file that the service wrote, to standard output or a file. A file on the disk is whole, or not there. */
export async function fetchFile(
  { signal }: Context,
  { url }: { url: string },
  output: string | undefined,
): Promise<void> {
  const next = `${output}.${process.pid}.part`;
  try {
    const answer = await fetch(url, { signal });
    if (!answer.ok || !answer.body) throw new Error(`the storage answered ${answer.status}`);
    const body = Readable.fromWeb(answer.body);
    if (output === undefined) return await pipeline(body, process.stdout, { end: false });
    await pipeline(body, createWriteStream(next));
    await rename(next, output);
  } catch (error) {
    await rm(next, { force: true });
    throw new Failure(EXIT.unreachable, `The file could not be fetched: ${reasonOf(error)}.`, 'Fetch it again.');
  }
}
