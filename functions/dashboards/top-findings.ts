import { type FindingListItem, findings } from '#shared/entities/finding.ts';
import { findingListItem } from '#shared/entities/finding-view.ts';
import { seenIn, stateKeys } from '#shared/ingest/last-seen.ts';
import type { Ports } from '#shared/ports.ts';
import type { Table } from '#shared/table/table.ts';

/** Each may come from another scan scope; with five of both it stays within six read units. */
const TOP = 5;

/** The rank's rows name the scan scopes, so that these are read beside the findings. */
export async function topFindings({ bucket }: Ports, table: Table): Promise<FindingListItem[]> {
  const { records, beside } = await table.top(findings, {
    rank: 'top',
    n: TOP,
    beside: (scopes) => stateKeys(table, scopes),
  });
  const seen = await seenIn(bucket, beside, records);
  return records.map((record) => findingListItem(record, seen.get(record.id)));
}
