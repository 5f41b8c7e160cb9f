import { readZones } from '#shared/assets/targets/read-zones.ts';
import type { Placing } from '#shared/assets/targets/zones.ts';
import type { StoredSubmission } from '#shared/ingest/submission.ts';
import type { Table } from '#shared/platform/table/table.ts';

const NOWHERE: Placing = () => undefined;

/**
 * The zones by which the addresses of a report are placed. A report that names a zone means that one, and a scan of a scanner keeps
 * the zone of its task, by which engagements know their targets.
 */
export async function readPlacing(table: Table, { zone, source }: StoredSubmission): Promise<Placing> {
  if (zone != null || source !== 'import') return NOWHERE;
  return (await readZones(table)) ?? NOWHERE;
}
