import { inSeconds, nowMs } from '#shared/platform/runtime/clock.ts';
import { type MachinePresence, nextLook } from '../machines/presence.ts';

/** A lease that is not renewed for this long ends, and its task is handed out again. */
export const LEASE_SECONDS = 900;
/** A task may be renewed for at most a day, or for the task's own shorter limit. */
export const MAX_TASK_SECONDS = 86_400;

/** A task in a machine's hands. Times are milliseconds: presences are rewritten every minute and paid by the byte. */
export type Lease = {
  attempt: number;
  until: number;
  deadline: number;
  progress: number;
  /** The reason why its machine must stop. */
  cancel?: string;
  /** The organization of the task, where it is not the machine's own. */
  organizationId?: string;
};

/** The presence of a machine that holds leases. One write renews all of them. */
export type LeasePresence<L extends Lease = Lease> = MachinePresence & {
  name: string;
  enabled: boolean;
  /** The most simultaneous tasks that its operator allows; null: as many as the machine asks for. */
  capacity: number | null;
  maintenanceUntil: string | null;
  leases: Record<string, L>;
};

/** When the sweeper must look at a machine: when its first lease ends, or once the machine is silent. */
export const nextTimer = (presence: MachinePresence & { leases: Record<string, Lease> }): number =>
  nextLook(presence, Math.min(...Object.values(presence.leases).map(({ until }) => until)));

/** The length of a lease, for its machine. */
export type LeaseTerms = { leaseSeconds: number; leaseExpiresAt: string; deadlineAt: string };

export function leaseTerms(timeoutSeconds: number = MAX_TASK_SECONDS): LeaseTerms {
  const leaseSeconds = Math.min(LEASE_SECONDS, timeoutSeconds);
  return { leaseSeconds, leaseExpiresAt: inSeconds(leaseSeconds), deadlineAt: inSeconds(timeoutSeconds) };
}

export type TaskReport = { taskId: string };

/** The answer to a machine's report of its running tasks, and its leases afterwards. */
type LeaseReport<L extends Lease> = {
  leases: Record<string, L>;
  /** Tasks that the machine reports and does not hold (any more). */
  lost: string[];
  cancel: { taskId: string; reason: string }[];
};

/**
 * Renews the leases of the tasks that a machine reports as running.
 * @param fieldsOf the part of a report that the lease keeps
 */
export function renewLeases<L extends Lease, R extends TaskReport>(
  { leases: held }: { leases: Record<string, L> },
  reports: readonly R[],
  fieldsOf: (report: R) => Partial<L>,
): LeaseReport<L> {
  const leases = { ...held };
  const lost: string[] = [];
  for (const report of reports) {
    const lease = leases[report.taskId];
    if (lease) leases[report.taskId] = { ...lease, ...fieldsOf(report), until: renewedUntil(lease) };
    else lost.push(report.taskId);
  }
  const cancel = Object.entries(held).flatMap(([taskId, lease]) =>
    lease.cancel === undefined ? [] : [{ taskId, reason: lease.cancel }],
  );
  return { leases, lost, cancel };
}

const renewedUntil = ({ until, deadline }: Lease): number =>
  Math.max(until, Math.min(nowMs() + LEASE_SECONDS * 1000, deadline));

export const withoutLeases = <P extends LeasePresence>(presence: P, taskIds: readonly string[]): P => ({
  ...presence,
  leases: Object.fromEntries(Object.entries(presence.leases).filter(([taskId]) => !taskIds.includes(taskId))),
});

export function withLease<P extends LeasePresence, L extends Lease = Lease>(
  presence: P,
  taskId: string,
  changes: Partial<L>,
): P {
  const lease = presence.leases[taskId];
  return lease ? { ...presence, leases: { ...presence.leases, [taskId]: { ...lease, ...changes } } } : presence;
}
