import { rememberWrites } from '#shared/dispatch/shared-lease.ts';
import { usageWrites } from '#shared/dispatch/usage.ts';
import type { ScannerTask } from '#shared/entities/scanner-task.ts';
import { LEASE_SECONDS, MAX_TASK_SECONDS, type MachineLease } from '#shared/machines/leases.ts';
import { inSeconds } from '#shared/runtime/clock.ts';
import { lease } from '#shared/scanner-tasks/moves.ts';
import type { Presence } from '#shared/scanners/presence.ts';
import type { Batch } from '#shared/table/batch.ts';
import type { Table } from '#shared/table/table.ts';
import type { FoundShared } from './take-shared.ts';

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
    const { id, type, target, exclusions, parameters, zone, engagementId, attempt } = task;
    const times = { leaseSeconds: LEASE_SECONDS, leaseExpiresAt, deadlineAt };
    const scope = { target, ...(exclusions && { exclusions }) };
    return { id, type, ...scope, parameters, zone, engagementId, attempt, ...times, ...secretsOf(task) };
  });
  const given = { owner, ids: tasks.map(({ id }) => id) };
  batch.write(...usageWrites(owner, tasks, { by: 1, limits }), ...rememberWrites(table, scanner.id, given));
  const whose = owner.organizationId === table.organizationId ? {} : { organizationId: owner.organizationId };
  const leases = answers.map(({ id, attempt }): [string, MachineLease] => {
    const until = Date.parse(leaseExpiresAt);
    return [id, { attempt, until, deadline: Date.parse(deadlineAt), progress: 0, ...whose }];
  });
  return { answers, leases: Object.fromEntries(leases) };
}
