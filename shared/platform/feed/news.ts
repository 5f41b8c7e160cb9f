import { entryIn, inboxKey, type RecordChange } from '../table/changes.ts';
import { queryRows } from '../table/io/read.ts';
import type { Row } from '../table/layout/keys.ts';
import type { Table } from '../table/table.ts';
import { END, entriesIn, type Head, padded, readHead, type Sheet, sheets } from './log.ts';

/** The end of the log at a moment: all changes of a lower number were committed before. */
export type Position = Pick<Head, 'next' | 'hash'>;

/**
 * `changes`: inflated one sheet after the other, because those of a large import would fill the memory; undefined where they are too many, or where
 * the log does not go on at the position (it was restored, or moved to the bucket).
 */
type News = { position: Position; changes: Iterable<RecordChange> | undefined };

/** An entry of the inbox has up to 48 changes. */
const CHANGES_OF_ENTRY = 20;

/**
 * The changes that were committed since the end of the log was at a position, with a number or without, some of them twice; and the position from
 * which to ask the next time. Reads the inbox first, because numbering puts entries into the log before it removes them from the inbox.
 * @param most about how many changes are read
 */
export async function newsSince(table: Table, since: Position, most: number): Promise<News> {
  const { pk, sk: prefix } = inboxKey(table.tenant, '');
  const limit = Math.ceil(most / CHANGES_OF_ENTRY);
  const inbox = await queryRows(table.dynamo, { pk, prefix, limit, consistent: true });
  const head = await readHead(table);
  const isTooLong = inbox.length === limit || head.next > since.next + most;
  const numbered = isTooLong || head.next <= since.next ? [] : await sheetsFrom(table, since.next);
  const [first, last = first] = [numbered[0], numbered.at(-1)];
  const position = last ? { next: last.first + last.count, hash: last.hash } : positionOf(head);
  const follows = first ? { next: first.first, hash: first.before } : position;
  if (isTooLong || follows.next !== since.next || follows.hash !== since.hash) return { position, changes: undefined };
  return { position, changes: changesOf(numbered, inbox) };
}

function* changesOf(numbered: readonly Sheet[], inbox: readonly Row[]): Generator<RecordChange> {
  for (const sheet of numbered) for (const { changes } of entriesIn(sheet)) yield* changes;
  for (const row of inbox) yield* entryIn(row).changes;
}

/** The present end of the log. */
export const readPosition = async (table: Table): Promise<Position> => positionOf(await readHead(table));

const positionOf = ({ next, hash }: Head): Position => ({ next, hash });

const sheetsFrom = (table: Table, next: number) =>
  table.rows(sheets).query('all', { between: { from: padded(next), to: END }, consistent: true });
