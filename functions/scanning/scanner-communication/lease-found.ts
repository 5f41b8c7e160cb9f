import type { ScannerTypes } from '#shared/scanning/fleet/leases.ts';
import { leaseTerms } from '#shared/scanning/leases/lease.ts';
import type { Recipient } from '#shared/scanning/leases/poll.ts';
import type { Step } from '#shared/scanning/leases/rules.ts';
import { finish, lease } from '#shared/scanning/scanner-tasks/moves.ts';
import type { ScannerTask } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { usageWrites } from '#shared/scanning/scanner-tasks/usage.ts';
import { refusedTasks } from './may-begin.ts';
import type { FoundShared } from './take-shared.ts';

/** A task in the answer to its scanner. */
export type ScannerWork = ReturnType<typeof workOf>;

function workOf(task: ScannerTask) {
  const { id, type, target, exclusions, parameters, zone, engagementId, attempt } = task;
  const publicOnly = Boolean(task.publicScannerGroupId);
  const scope = { target, ...(exclusions && { exclusions }), ...(publicOnly && { publicOnly }) };
  return { id, type, ...scope, parameters, zone, engagementId, attempt, ...secretsOf(task) };
}

/** The address at which the scanner gets the secrets for the task's logins. */
const secretsOf = ({ id, credentialIds = [], codeScan }: ScannerTask): { secretsUrl?: string } =>
  credentialIds.length === 0 && !codeScan?.cloneToken
    ? {}
    : { secretsUrl: `/api/v1/scanner_communication/tasks/${id}/secrets` };

/**
 * Leases tasks of the scanner's own organization, or of the organization whose turn it is in a pool, within the limits.
 * Cancels a task that the current rules refuse, instead of leasing it.
 */
export async function leaseFound(step: Step, { presence }: Recipient<ScannerTypes>, found: FoundShared) {
  const { tasks, windows, limits } = found;
  const refused = await refusedTasks(step.table, tasks);
  const scanner = { id: presence.machineId, name: presence.name };
  const terms = leaseTerms();
  const { leaseExpiresAt } = terms;
  const leased = tasks.flatMap((waiting) => {
    if (refused.has(waiting.id)) return [];
    const windowEndsAt = endOf(windows.get(waiting.id));
    const task = lease(step, waiting, { scanner, leaseExpiresAt, windowEndsAt });
    return [{ task, terms, work: workOf(task) }];
  });
  const ended = tasks.flatMap((waiting) => {
    const error = refused.get(waiting.id);
    return error ? [finish(step, waiting, { verb: 'cancel', error })] : [];
  });
  const begun = leased.map(({ task }) => task);
  step.batch.write(...usageWrites(step.table, begun, { by: 1, limits }));
  return { leased, ended };
}

const endOf = (until: number | undefined): string | undefined =>
  until === undefined ? undefined : new Date(until).toISOString();
