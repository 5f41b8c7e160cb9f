import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import * as z from 'zod';
import type { OsvRecord } from '#shared/advisories/osv.ts';
import { failureCode } from '#shared/platform/outgoing/failure-code.ts';
import { parseWithin } from '#shared/reports/readers/json-limits.ts';
import { parseValue, splitJson } from '#shared/reports/readers/json-stream.ts';
import { ReportError } from '#shared/reports/report/report.ts';
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
    for await (const entry of entriesIn(path)) {
      const record = await osvRecord(OsvEntry.parse(entry));
      read++;
      if (!record.id.startsWith('MAL-')) yield record;
    }
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    const otherwise = error instanceof ReportError ? error.message : failureCode(error, 'another form');
    const reason = issue ? `${issue.path.join('.')}: ${issue.message}` : otherwise;
    throw error instanceof FeedError ? error : new FeedError(`it cannot be read behind ${read} records: ${reason}`);
  }
  if (read === 0) throw new FeedError('it has no record');
}

/** The same limits as in a report bound the levels, values and bytes of each entry. */
async function* entriesIn(path: string): AsyncGenerator<unknown> {
  const start = await startOf(path);
  if (start.startsWith('PK')) return yield* zippedIn(path);
  const isList = start.trimStart().startsWith('[');
  for await (const value of splitJson(createReadStream(path), ({ length }) => isList && length === 0))
    if (!value.opens) yield parseValue(value);
}

async function startOf(path: string): Promise<string> {
  const file = await open(path);
  const { buffer: bytes } = await file.read(Buffer.alloc(100), 0, 100, 0);
  await file.close();
  return bytes.toString();
}

/** The central directory is at the end, so a truncated zip cannot be opened. */
async function* zippedIn(path: string): AsyncGenerator<unknown> {
  const zip = await openPromise(path, { autoClose: false });
  try {
    for await (const entry of zip.eachEntry())
      if (entry.fileName.endsWith('.json')) yield parseWithin(await textOf(zip, entry), entry.fileName);
  } finally {
    zip.close();
  }
}

async function textOf(zip: ZipFile, entry: Entry): Promise<string> {
  if (entry.uncompressedSize > MAX_RECORD_BYTES) throw new FeedError(`${entry.fileName} is too long`);
  return (await buffer(await zip.openReadStreamPromise(entry))).toString();
}
