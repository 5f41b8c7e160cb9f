import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import * as z from 'zod';
import type { AdvisoryRecord } from '#shared/advisories/records.ts';
import { failureCode } from '#shared/platform/outgoing/failure-code.ts';
import { parseValue, splitJson } from '#shared/reports/readers/json-stream.ts';
import { FeedError } from '../feed-error.ts';
import { NvdEntry, nvdRecord } from './record.ts';

const Header = z.object({ totalResults: z.int(), timestamp: z.string() });

/**
 * The records of a file of NVD, one after the other, at any length.
 * @throws FeedError where the file is cut short, is another kind of file, or has another number of entries than it
 * states
 */
export async function* recordsIn(
  file: string,
): AsyncGenerator<AdvisoryRecord, { entries: number; publishedAt: string }> {
  const header: Record<string, unknown> = {};
  let entries = 0;
  try {
    for await (const value of splitJson(await unpacked(file), isWalked)) {
      const [name, ...below] = value.path;
      if (value.opens) continue;
      if (name === 'vulnerabilities' && below.length > 0) {
        entries++;
        yield nvdRecord(NvdEntry.parse(parseValue(value)));
      } else if (value.bytes.length < 1000) header[String(name)] = parseValue(value);
    }
    const { totalResults, timestamp } = Header.parse(header);
    if (totalResults !== entries)
      throw new FeedError(`it says that it has ${totalResults} vulnerabilities and has ${entries}`);
    return { entries, publishedAt: new Date(`${timestamp.replace(/Z$/, '')}Z`).toISOString() };
  } catch (error) {
    if (error instanceof FeedError) throw error;
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    const reason = issue ? `${issue.path.join('.')}: ${issue.message}` : failureCode(error, 'another form');
    throw new FeedError(`it cannot be read behind ${entries} vulnerabilities: ${reason}`, { cause: error });
  }
}

const isWalked = (path: readonly (string | number)[]): boolean =>
  path.length === 0 || (path.length === 1 && path[0] === 'vulnerabilities');

async function unpacked(path: string): Promise<AsyncIterable<Uint8Array>> {
  const file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  await file.close();
  const bytes = createReadStream(path);
  return buffer[0] === 0x1f && buffer[1] === 0x8b ? bytes.pipe(createGunzip()) : bytes;
}
