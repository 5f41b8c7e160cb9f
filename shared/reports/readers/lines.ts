import { LIMITS, ReportError } from '../report/report.ts';

/** `ended`: the line has its newline; only the last one may lack it. Numbers begin at 1. */
export type Line = { text: string; number: number; ended: boolean };

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * The lines of a UTF-8 text of any size, without empty lines; one line at a time is in memory, and none may be larger than a raw
 * value.
 */
export async function* splitLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  let number = 0;
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    for (let start = 0; start < bytes.length; ) {
      if (size === 0 && bytes[start] === NEWLINE) {
        number += 1;
        start += 1;
        continue;
      }
      const newline = bytes.indexOf(NEWLINE, start);
      const end = newline === -1 ? bytes.length : newline;
      const part = bytes.subarray(start, end);
      start = end + 1;
      size += part.length;
      if (size > LIMITS.rawValue) throw tooLong(number + 1);
      if (newline === -1) {
        parts.push(Buffer.from(part)); // the source may use its buffer again
        continue;
      }
      number += 1;
      if (size > 1 || part[0] !== RETURN) yield { text: textOf(parts, part), number, ended: true };
      parts = [];
      size = 0;
    }
  }
  if (size > 0) yield { text: textOf(parts, Buffer.alloc(0)), number: number + 1, ended: false };
}

const textOf = (before: readonly Buffer[], last: Buffer): string =>
  (before.length === 0 ? last : Buffer.concat([...before, last])).toString('utf8');

function tooLong(number: number): ReportError {
  return new ReportError(
    'too_large',
    `Line ${number} is over ${LIMITS.rawValue} bytes: leave recorded requests and responses out.`,
  );
}
