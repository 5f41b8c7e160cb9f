import { TaskFailure } from '#shared/platform/jobs/worker.ts';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { readScope } from './scan-scope.ts';
import { emptyState, type ScanState, unpackState } from './scan-state.ts';

/**
 * The sightings of a scope's scans; none of a scope that no report has left a state for. A state that a report replaced, and
 * removed, since the scope was read is read again.
 * @throws TaskFailure where the state is missing: taken as empty, nothing of the scope would ever be closed again
 */
export async function readScopeState(bucket: Bucket, table: Table, id: string): Promise<ScanState> {
  for (let before: string | undefined; ; ) {
    const { stateKey } = await readScope(table, id);
    if (stateKey === undefined) return emptyState;
    const bytes = await bucket.get(stateKey);
    if (bytes) return unpackState(bytes);
    if (stateKey === before) throw missingState();
    before = stateKey;
  }
}

const missingState = () =>
  new TaskFailure(
    'scan_state_missing',
    'The record of what the earlier scans saw is missing from the storage. An administrator starts `restored` of ' +
      '`POST /api/v1/organization/maintenance`, which makes it anew; then send the report again.',
  );
