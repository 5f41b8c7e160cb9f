import { LIMITS, ReportError } from '../report/report.ts';

/** `ended`: the line has its newline; only the last one may lack it. Numbers begin at 1. */
export type Line = { text: string; number: number; ended: boolean };

const NEWLINE = 0x0a;

/** The lines of a UTF-8 text of any size; one line at a time is in memory, and none may be larger than a raw value. */
export async function* splitLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let number = 0;
  const take = (ended: boolean): Line => {
    number += 1;
    const line = { text: Buffer.concat(parts).toString('utf8'), number, ended };
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of source) {
    for (let start = 0; start < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, start);
      const end = newline === -1 ? chunk.length : newline;
      size += end - start;
      if (size > LIMITS.rawValue) throw tooLong(number + 1);
      parts.push(Uint8Array.from(chunk.subarray(start, end)));
      if (newline !== -1) yield take(true);
      start = end + 1;
    }
  }
  if (size > 0) yield take(false);
}

function tooLong(number: number): ReportError {
  return new ReportError(
    'too_large',
    `Line ${number} is over ${LIMITS.rawValue} bytes: leave recorded requests and responses out.`,
  );
}
