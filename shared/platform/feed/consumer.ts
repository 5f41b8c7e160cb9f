import { Overtaken } from '../runtime/errors.ts';
import { retry } from '../runtime/retry.ts';
import type { Batch } from '../table/batch.ts';
import { defineRow, putWrite } from '../table/io/row.ts';
import type { Table } from '../table/table.ts';
import { type Announced, announcedIn, readHead, sheetsAfter } from './log.ts';

/** The progress of a reader of the change log. */
type Cursor = { consumer: string; seen: number };

export const cursors = defineRow<Cursor, Pick<Cursor, 'consumer'>>({
  name: 'change-cursor',
  about: 'the number of the last change that a reader of the change log has seen',
  key: ({ consumer }) => [consumer],
});

/**
 * Adds the effects of changes to the batch: of as many changes from the first on as fit beside one more row, at least
 * of one.
 * @returns how many
 */
export type Take = (batch: Batch, changes: readonly Announced[]) => number | Promise<number>;

/**
 * Shows a reader the changes that it has not seen, up to the end of the log: each change once and in the order of the
 * numbers. The reader's effects and its cursor are one transaction, so that neither a kill nor a second worker repeats
 * a change.
 */
export function follow(table: Table, consumer: string, take: Take): Promise<void> {
  return retry(async () => {
    const { next } = await readHead(table);
    while ((await followSome(table, consumer, { take, next })) + 1 < next);
  });
}

/** Whether there are changes that a reader has not seen. */
export async function hasUnseen(table: Table, consumer: string): Promise<boolean> {
  const [cursor, { next }] = await Promise.all([table.rows(cursors).find({ consumer }, true), readHead(table)]);
  return (cursor?.seen ?? 0) + 1 < next;
}

/**
 * Shows a reader some of the changes before the number `next` that it has not seen.
 * @returns the number of the last change that it has seen
 */
export async function followSome(
  table: Table,
  consumer: string,
  { take, next }: { take: Take; next: number },
): Promise<number> {
  const cursor = await table.rows(cursors).find({ consumer }, true);
  const seen = cursor?.seen ?? 0;
  if (seen + 1 >= next) return seen;
  const [sheet] = await sheetsAfter(table, seen, 1);
  const changes = sheet ? announcedIn(sheet).filter(({ number }) => number > seen) : [];
  if (!changes[0] || (seen > 0 && changes[0].number !== seen + 1))
    throw new Error(`${consumer} has not seen the changes from number ${seen + 1} on, and they have left the table`);
  const batch = table.batch();
  const taken = changes[(await take(batch, changes)) - 1];
  if (!taken) throw new Error(`${consumer} took no change after number ${seen}`);
  const expect = cursor ? { seen } : ('absent' as const);
  const row = { consumer, seen: taken.number };
  batch.write(putWrite(table.tenant, cursors, { row, expect, fail: () => new Overtaken() }));
  try {
    await batch.commit();
  } catch (error) {
    // another worker wrote its effects with the cursor first
    const current = await table.rows(cursors).find({ consumer }, true);
    throw (current?.seen ?? 0) === seen ? error : new Overtaken();
  }
  return taken.number;
}
