import { type FindingListItem, findings } from '#shared/entities/finding.ts';
import { seenIn, stateKeys } from '#shared/findings/last-seen.ts';
import { findingListItem } from '#shared/findings/view.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import type { Table } from '#shared/table/table.ts';

/** Each may come from another scan scope; with five of both it stays within six read units. */
const TOP = 5;

/** The rank's rows name the scan scopes, so that these are read beside the findings. */
export async function topFindings({ bucket }: Connections, table: Table): Promise<FindingListItem[]> {
  const { records, beside } = await table.top(findings, {
    rank: 'top',
    n: TOP,
    beside: (scopes) => stateKeys(table, scopes),
  });
  const seen = await seenIn(bucket, beside, records);
  return records.map((record) => findingListItem(record, seen.get(record.id)));
}
