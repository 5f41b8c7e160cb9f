import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { newId } from '#shared/platform/runtime/ids.ts';
import { askServer, partsOf, type Validators, validatorsOf } from './fetch.ts';

/** A file on this machine; `isOurs`: to be removed when it was read. */
type Download = Validators & { path: string; isOurs: boolean };

/** A function has 512 MB of disk; the zip of an ecosystem is the longest file. */
const MAX_BYTES = 400_000_000;

/** @returns undefined when the file did not change @throws FeedError */
export async function download(address: string, known: Validators): Promise<Download | undefined> {
  if (address.startsWith('file:')) return { path: fileURLToPath(address), isOurs: false };
  const answer = await askServer(address, known);
  if (!answer) return undefined;
  const path = join(tmpdir(), `feed-${newId()}`);
  await pipeline(partsOf(answer, MAX_BYTES), createWriteStream(path));
  return { path, isOurs: true, ...validatorsOf(answer) };
}
