import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { TaskFailure } from '#shared/platform/jobs/worker.ts';
import { MAX_TEXT } from '#shared/soc/sigma/documents.ts';

/** A file of a pack, and its text: undefined for a file that is too long. */
export type PackFile = { file: string; content: string | undefined };

const IS_RULE = /(^|\/)[^./][^/]*\.ya?ml$/i;
/** All rules of SigmaHQ have 12 million bytes, in 4,000 files. */
const MAX_BYTES = 24_000_000;
/** An archive of a repository has other files, too. */
const MAX_ENTRIES = 50_000;

export const refusedPack = (message: string): TaskFailure => new TaskFailure('validation_failed', message);

/** The rule files of a zip archive, or the text itself. @throws TaskFailure for an archive that is not whole, or too large */
export async function filesIn(bytes: Buffer, name: string): Promise<PackFile[]> {
  if (bytes.subarray(0, 2).toString() === 'PK') return zippedIn(bytes);
  if (bytes.length > MAX_BYTES) throw tooLong();
  return [{ file: name, content: textOf(bytes) ?? notText() }];
}

/** The reader ends with an error where a file is longer than the archive says, so that the sizes can be trusted. */
async function zippedIn(bytes: Buffer): Promise<PackFile[]> {
  const files: PackFile[] = [];
  let [entries, size] = [0, 0];
  try {
    const zip = await fromBufferPromise(bytes);
    for await (const entry of zip.eachEntry()) {
      entries += 1;
      if (entries > MAX_ENTRIES) throw refusedPack(`The archive has more than ${MAX_ENTRIES} files.`);
      const { fileName: file, uncompressedSize } = entry;
      if (!IS_RULE.test(file)) continue;
      const isTooLong = uncompressedSize > MAX_TEXT;
      size += isTooLong ? 0 : uncompressedSize;
      if (size > MAX_BYTES) throw tooLong();
      const content = isTooLong ? undefined : textOf(await buffer(await zip.openReadStreamPromise(entry)));
      files.push({ file, content });
    }
  } catch (error) {
    if (error instanceof TaskFailure || !(error instanceof Error)) throw error;
    throw refusedPack(`The archive cannot be read: ${error.message}. Send a zip archive that is whole.`);
  }
  return files;
}

const tooLong = () => refusedPack(`The rules have more than ${MAX_BYTES} bytes: send them in several packs.`);

function notText(): never {
  throw refusedPack('The file is neither a zip archive nor a text in UTF-8.');
}

/** Undefined for bytes that are no UTF-8. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
