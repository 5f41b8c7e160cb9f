import type { StoredSubmission } from '#shared/ingest/submission.ts';
import type { Table } from '#shared/table/table.ts';
import { readZones } from '#shared/targets/read-zones.ts';
import type { Placing } from '#shared/targets/zones.ts';

const NOWHERE: Placing = () => undefined;

/**
 * The zones by which the addresses of a report are placed. A report that names a zone means that one, and a scan of a scanner keeps
 * the zone of its task, by which engagements know their targets.
 */
export async function readPlacing(table: Table, { zone, source }: StoredSubmission): Promise<Placing> {
  if (zone != null || source !== 'import') return NOWHERE;
  return (await readZones(table)) ?? NOWHERE;
}
