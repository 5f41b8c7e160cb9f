import { isDeepStrictEqual } from 'node:util';
import type { Table } from '../table/table.ts';
import { type Head, hashOf, readHead, sheetsAfter, textOf } from './log.ts';

const AT_ONCE = 50;

/** @returns the number from which the log is not as it was written: null when every sheet and the head fit */
export async function verifyLog(table: Table) {
  const end = await readHead(table);
  let at: Head = { next: 1, last: 0, hash: '' };
  const result = (broken: number | null) => ({ changes: at.next - 1, hash: at.hash, broken });
  while (at.next < end.next) {
    const sheets = await sheetsAfter(table, at.next - 1, AT_ONCE);
    if (sheets.length === 0) break;
    for (const sheet of sheets) {
      const { first, count, before, hash } = sheet;
      if (first >= end.next) return result(null); // numbered since
      if (first !== at.next || before !== at.hash || hash !== hashOf(sheet, textOf(sheet))) return result(at.next);
      at = { next: first + count, last: first, hash };
    }
  }
  return result(isDeepStrictEqual({ ...at }, { ...end }) ? null : at.next);
}
