import { inSeconds } from '#shared/clock.ts';
import type { ScannerTask } from '#shared/entities/scanner-task.ts';
import { lease } from '#shared/scanning/moves.ts';
import { sharedLeases } from '#shared/scanning/pools.ts';
import { LEASE_SECONDS, type Lease, MAX_TASK_SECONDS, type Presence } from '#shared/scanning/presence.ts';
import { usageWrites } from '#shared/scanning/usage.ts';
import type { Batch } from '#shared/table/batch.ts';
import { putWrite } from '#shared/table/row.ts';
import type { Table } from '#shared/table/table.ts';
import type { FoundShared } from './take-shared.ts';

/** A scanner may ask what became of a shared task for as long as tasks are remembered. */
const REMEMBERED_SECONDS = 30 * 86_400;

const endOf = ({ id }: ScannerTask, windows: ReadonlyMap<string, number>): string | undefined => {
  const until = windows.get(id);
  return until === undefined ? undefined : new Date(until).toISOString();
};

/** Where the scanner gets what the task needs to log in. */
const secretsOf = ({ id, credentialIds = [] }: ScannerTask): { secretsUrl?: string } =>
  credentialIds.length === 0 ? {} : { secretsUrl: `/api/v1/scanner_communication/tasks/${id}/secrets` };

type Leasing = { presence: Presence; found: FoundShared };

/** Puts the leases into the batch: the scanner's own organization's, or the one's whose turn it is in a pool. */
export function leaseAll(table: Table, batch: Batch, { presence, found }: Leasing) {
  const { owner, tasks, windows, limits } = found;
  const scanner = { id: presence.scannerId, name: presence.name };
  const leaseExpiresAt = inSeconds(LEASE_SECONDS);
  const deadlineAt = inSeconds(MAX_TASK_SECONDS);
  const step = { table: owner, batch: batch.within(owner.scope) };
  const answers = tasks.map((waiting) => {
    const task = lease(step, waiting, { scanner, leaseExpiresAt, windowEndsAt: endOf(waiting, windows) });
    const { id, type, target, parameters, zone, engagementId, attempt } = task;
    const times = { leaseSeconds: LEASE_SECONDS, leaseExpiresAt, deadlineAt };
    return { id, type, target, parameters, zone, engagementId, attempt, ...times, ...secretsOf(task) };
  });
  batch.write(...usageWrites(owner, tasks, { by: 1, limits }), ...rememberWrites(table, presence, found));
  const whose = owner.organizationId === table.organizationId ? {} : { organizationId: owner.organizationId };
  const leases = answers.map(({ id, attempt }): [string, Lease] => {
    const until = Date.parse(leaseExpiresAt);
    return [id, { attempt, until, deadline: Date.parse(deadlineAt), progress: 0, ...whose }];
  });
  return { answers, leases: Object.fromEntries(leases) };
}

const rememberWrites = (table: Table, { scannerId }: Presence, { owner, tasks }: FoundShared) => {
  if (owner.organizationId === table.organizationId) return [];
  const { organizationId } = owner;
  const expiresAt = inSeconds(REMEMBERED_SECONDS);
  return tasks.map(({ id }) =>
    putWrite(table.scope, sharedLeases, { row: { scannerId, taskId: id, organizationId, expiresAt } }),
  );
};
