import { invalid } from '../runtime/errors.ts';
import type { Table } from '../table/table.ts';
import { lastMoved } from './archive.ts';
import { type Announced, announcedIn, END, type Head, padded, readHead, sheets, sheetsAfter } from './log.ts';
import { numberChanges } from './number.ts';

/** Sheets that one answer reads: at most 10,000 changes. */
const SHEETS = 20;

type Range = { since: number | 'latest'; limit: number };
type Found = { found: Announced[]; next: number; more: boolean };

/**
 * The wanted changes after a number, in order, and the number from which to go on. Numbers what waits in the inbox first, so that an answer does
 * not wait for the next minute.
 * @throws validation_failed for a number that the log does not have, or no longer
 */
export async function readChanges(
  table: Table,
  { since: from, limit }: Range,
  isWanted: (change: Announced) => boolean,
): Promise<Found> {
  await numberChanges(table);
  const [head, moved] = await Promise.all([readHead(table), lastMoved(table)]);
  const since = from === 'latest' ? head.next - 1 : from;
  assertKept(since, head, moved);
  const read = (await sheetsAfter(table, since, SHEETS)).flatMap(announcedIn).filter(({ number }) => number > since);
  const wanted = read.filter(isWanted);
  const found = wanted.slice(0, limit);
  const last = wanted.length > limit ? found.at(-1) : read.at(-1);
  const next = last?.number ?? since;
  return { found, next, more: next < head.next - 1 };
}

function assertKept(since: number, { next }: Head, moved: number): void {
  if (since >= next) throw invalid('since', 'must be `next` of an earlier answer of this organization, or 0');
  if (since > 0 && since < moved)
    throw invalid('since', `must be at least ${moved}, or 0: changes up to that number are older than 400 days`);
}

/**
 * The changes that were numbered since a time, in order, from at most 20 sheets of the log.
 * @returns also whether these are all changes since then
 */
export async function recentChanges(table: Table, since: string): Promise<{ found: Announced[]; complete: boolean }> {
  await numberChanges(table);
  const newest = { between: { from: padded(0), to: END }, backward: true, limit: SHEETS };
  const read = await table.rows(sheets).query('all', newest);
  const found = read.filter(({ at }) => at >= since);
  return {
    found: found.toReversed().flatMap(announcedIn),
    complete: read.length < SHEETS || found.length < read.length,
  };
}
