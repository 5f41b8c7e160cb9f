import { TaskFailure } from '#shared/platform/jobs/worker.ts';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type LeftState, readScope, type ScopeRow } from './scan-scope.ts';
import { bytesOf, emptyState, type ScanState, unpackState } from './scan-state.ts';
import { packSightings } from './sightings.ts';

/**
 * The sightings of a scan scope; none where no report has left a state. Reads again when a report replaced and removed
 * the state since the scan scope was read.
 * @throws TaskFailure where the state is missing: with an empty state instead, nothing of the scan scope would ever
 * close again
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
      '`POST /api/v1/organization/maintenance`, which makes it again; then send the report again.',
  );

type Leaving = Context & { task: { id: string } };

/** Stores a scan scope's new state under a key of its own; the scan scope's row points to it at the end of the task. */
export async function keepState(
  { table, connections, task }: Leaving,
  scope: string,
  state: ScanState,
): Promise<LeftState> {
  const stateKey = stateKeyOf(table, scope, task);
  await connections.bucket.put(stateKey, bytesOf(state));
  return { stateKey, sightings: packSightings(state) };
}

/** The objects of a scan scope that a new state replaces, for their removal. A repeated message finds the new state there. */
export const replacedState = ({ stateKey: before }: Pick<ScopeRow, 'stateKey'>, { stateKey }: LeftState): string[] =>
  before && before !== stateKey ? [before, rowsKeyOf(before)] : [];

/** The key of the state that a task leaves for a scan scope. */
export const stateKeyOf = ({ organizationId }: Table, scope: string, { id }: Leaving['task']): string =>
  `${organizationId}/scopes/${scope}/${id}`;

/** The key of what the last report that was read in a scan scope had. */
export const readingKeyOf = ({ organizationId }: Table, scope: string): string =>
  `${organizationId}/scopes/${scope}/reading`;

/** The key of the rows that an import keeps beside the state which it leaves. */
export const rowsKeyOf = (stateKey: string): string => `${stateKey}.rows`;
