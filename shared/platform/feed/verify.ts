import { isDeepStrictEqual } from 'node:util';
import type { Connections } from '../runtime/connections.ts';
import type { Table } from '../table/table.ts';
import { readMoved } from './archive.ts';
import { EMPTY_LOG, type Head, hashOf, readHead, type Sheet, sheetsAfter, textOf } from './log.ts';

const AT_ONCE = 50;

type Where = { table: Table; connections: Pick<Connections, 'bucket'> };

type Verified = {
  /** The log up to here is as it was written. */
  at: Head;
  /** The end of the log. */
  end: Head;
  /** The number from which it is not, null when all fits; undefined while a part is left. */
  broken: number | null | undefined;
};

/** Checks the log from an earlier place, through moved sheets and current ones, until `isOver`. */
export async function verifyLog(where: Where, from: Head = EMPTY_LOG, isOver = () => false): Promise<Verified> {
  const end = await readHead(where.table);
  let at = from;
  const brokenHere = () => ({ at, end, broken: at.next });
  while (at.next < end.next) {
    if (isOver()) return { at, end, broken: undefined };
    const sheets = await sheetsFrom(where, at.next);
    if (sheets.length === 0) return brokenHere();
    for (const sheet of sheets) {
      if (at.next >= end.next) break; // numbered since
      if (!isNext(at, sheet)) return brokenHere();
      at = { next: sheet.first + sheet.count, last: sheet.first, hash: sheet.hash };
    }
  }
  return isDeepStrictEqual({ ...at }, { ...end }) ? { at, end, broken: null } : brokenHere();
}

/** The sheets from this number on. They may be moved between two looks, and are then in the bucket. */
async function sheetsFrom(where: Where, number: number): Promise<Sheet[]> {
  const moved = () => readMoved(where, number);
  for (const look of [moved, () => sheetsAfter(where.table, number - 1, AT_ONCE), moved]) {
    const found = await look();
    if (found[0]?.first === number) return found;
  }
  return [];
}

function isNext(at: Head, sheet: Sheet): boolean {
  const { first, before, hash } = sheet;
  return first === at.next && before === at.hash && hash === hashFrom(sheet);
}

/** A text that cannot be inflated any more has no hash. */
function hashFrom(sheet: Sheet): string | undefined {
  try {
    return hashOf(sheet, textOf(sheet));
  } catch {
    return undefined;
  }
}
