import { type FindingListItem, findings } from '#shared/findings/finding/finding.ts';
import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { lastSeenWith, usualScopes } from '#shared/findings/view/last-seen.ts';
import { findingListItem } from '#shared/findings/view/view.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Each may come from another scan scope; with five of both it stays within six read units. */
const TOP = 5;

/** The order of a whole collection is read without its marks. */
async function topOf(table: Table) {
  if (!table.part) return table.top(findings, { by: 'priority', n: TOP });
  const open = { paginateFrom: 0, paginateSize: TOP, sort: 'priority', where: { status: OPEN_STATUSES } };
  return (await table.list(findings, open)).data;
}

export async function topFindings({ bucket }: Connections, table: Table): Promise<FindingListItem[]> {
  const [records, known] = await Promise.all([topOf(table), usualScopes(table)]);
  const seen = await lastSeenWith({ bucket, table, known }, records);
  return records.map((record) => findingListItem(record, seen.get(record.id)));
}
