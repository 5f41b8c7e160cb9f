import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import { EPSS_PARTS, EPSS_RECORD, keyAt, keyOf, nameOf } from '#shared/advisories/epss.ts';
import { failureCode } from '#shared/platform/outgoing/failure-code.ts';
import { FeedError } from './feed-error.ts';

const Score = z.coerce.number().min(0).max(1);
const Line = z.object({ cve: z.string(), epss: Score, percentile: Score });

/**
 * Packs the scores of FIRST's EPSS (https://www.first.org/epss/data_stats): CSV with a comment line that names the model and the
 * day, then `cve,epss,percentile`. A quarter of a million of them take 2 MB.
 * @throws FeedError
 */
export function packEpss(csv: string): { content: Buffer; entries: number; publishedAt: string } {
  const publishedAt = /^#.*score_date:(\S+)/.exec(csv)?.[1];
  if (!publishedAt) throw new FeedError('its first line names no score_date');
  if (!csv.endsWith('\n')) throw new FeedError('it ends in the middle of a line');
  const lines = linesOf(csv);
  const content = Buffer.alloc(lines.length * EPSS_RECORD);
  for (const [n, { key, epss, percentile }] of lines.sort((a, b) => a.key - b.key).entries()) {
    content.writeUInt32BE(key, n * EPSS_RECORD);
    content.writeUInt16BE(Math.round(epss * EPSS_PARTS), n * EPSS_RECORD + 4);
    content.writeUInt16BE(Math.round(percentile * EPSS_PARTS), n * EPSS_RECORD + 6);
  }
  return { content, entries: lines.length, publishedAt: new Date(publishedAt).toISOString() };
}

type Scored = { key: number; epss: number; percentile: number };

function linesOf(csv: string): Scored[] {
  const options = { columns: true, comment: '#', comment_no_infix: true, skip_empty_lines: true } as const;
  try {
    return parse(csv, { ...options, on_record: (line, { records }) => scoredIn(line, records) }) as unknown as Scored[];
  } catch (error) {
    throw error instanceof FeedError
      ? error
      : new FeedError(`it is no CSV (${failureCode(error, 'another form')})`, { cause: error });
  }
}

/** Only numbers are kept of a line: the texts of a whole file take 200 MB. */
function scoredIn(line: unknown, number: number): Scored {
  const { success, data, error } = Line.safeParse(line);
  const key = success ? keyOf(data.cve) : undefined;
  if (!data || key === undefined)
    throw new FeedError(`entry ${number}: ${error?.issues[0]?.message ?? 'cve must be like CVE-2021-44228'}`);
  return { key, epss: data.epss, percentile: data.percentile };
}

/** The vulnerabilities whose probability differs, and those that only one of the two files has. */
export function movedEpss(before: Buffer, after: Buffer): string[] {
  const moved: string[] = [];
  for (let [one, other] = [0, 0]; one < before.length || other < after.length; ) {
    const [was, is] = [keyAt(before, one), keyAt(after, other)];
    const isSame = was === is && before.readUInt16BE(one + 4) === after.readUInt16BE(other + 4);
    if (!isSame) moved.push(nameOf(Math.min(was, is)));
    if (was <= is) one += EPSS_RECORD;
    if (is <= was) other += EPSS_RECORD;
  }
  return moved;
}
