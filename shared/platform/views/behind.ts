import { cursors } from '../feed/consumer.ts';
import { announcedIn, sheetsAfter } from '../feed/log.ts';
import { entryIn, inboxKey } from '../table/changes.ts';
import { queryRows } from '../table/io/read.ts';
import type { Table } from '../table/table.ts';

/** Whether the views have yet to see a change that was made until this time. */
export async function viewsLack(table: Table, until: string): Promise<boolean> {
  const { pk, sk: prefix } = inboxKey(table.tenant, '');
  const [waiting] = await queryRows(table.dynamo, { pk, prefix, limit: 1, consistent: true });
  if (waiting && entryIn(waiting).at <= until) return true;
  // an entry leaves the inbox with the write of its sheet, so the sheets are read after the inbox
  const { seen = 0 } = (await table.rows(cursors).find({ consumer: 'views' }, true)) ?? {};
  const [sheet] = await sheetsAfter(table, seen, 1);
  return sheet !== undefined && announcedIn(sheet).some(({ number, entry }) => number > seen && entry.at <= until);
}
