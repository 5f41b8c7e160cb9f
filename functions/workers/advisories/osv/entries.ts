import { open, readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import * as z from 'zod';
import type { OsvRecord } from '#shared/advisories/osv.ts';
import { failureCode } from '#shared/platform/outgoing/failure-code.ts';
import { excessOf, MOST_LEVELS } from '#shared/platform/runtime/json-cost.ts';
import { FeedError } from '../feed-error.ts';
import { OsvEntry, osvRecord } from './record.ts';

/** A record has some kilobytes; the longest names thousands of versions. */
const MAX_RECORD_BYTES = 20_000_000;

/**
 * The records of a file of OSV: a zip with a JSON file for each record, as OSV publishes an ecosystem, one record, or a list of
 * records. Malicious packages are left out: no version repairs them.
 * @throws FeedError where it is cut short or is no such file
 */
export async function* recordsIn(path: string): AsyncGenerator<OsvRecord> {
  let read = 0;
  try {
    for await (const text of (await isZip(path)) ? textsIn(path) : wholeTexts(path))
      for (const entry of [parsed(text)].flat()) {
        const record = await osvRecord(OsvEntry.parse(entry));
        read++;
        if (!record.id.startsWith('MAL-')) yield record;
      }
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    const reason = issue ? `${issue.path.join('.')}: ${issue.message}` : failureCode(error, 'another form');
    throw error instanceof FeedError ? error : new FeedError(`it cannot be read behind ${read} records: ${reason}`);
  }
  if (read === 0) throw new FeedError('it has no record');
}

function parsed(text: string): unknown {
  if (excessOf(text, MOST_LEVELS, Number.POSITIVE_INFINITY)) throw new FeedError(`it nests over ${MOST_LEVELS} deep`);
  return JSON.parse(text);
}

async function isZip(path: string): Promise<boolean> {
  const file = await open(path);
  const { buffer: bytes } = await file.read(Buffer.alloc(2), 0, 2, 0);
  await file.close();
  return bytes.toString() === 'PK';
}

async function* wholeTexts(path: string): AsyncGenerator<string> {
  yield await readFile(path, 'utf8');
}

/** The central directory is at the end, so a truncated zip cannot be opened. */
async function* textsIn(path: string): AsyncGenerator<string> {
  const zip = await openPromise(path, { autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) if (entry.fileName.endsWith('.json')) yield await textOf(zip, entry);
  } finally {
    zip.close();
  }
}

async function textOf(zip: ZipFile, entry: Entry): Promise<string> {
  if (entry.uncompressedSize > MAX_RECORD_BYTES) throw new FeedError(`${entry.fileName} is too long`);
  return (await buffer(await zip.openReadStreamPromise(entry))).toString();
}
