import type { Finding, StoredFinding } from '#shared/entities/finding.ts';
import { canMove, isOpen, moveStatus, openSince, personMoves } from '#shared/entities/finding-status.ts';
import { dueAtOf, priorityOf } from '#shared/findings/priority.ts';
import { conflict, invalid } from '#shared/runtime/errors.ts';

/** The fields that a person may set, as far as a request changes them. */
export type Triage = Partial<
  Pick<Finding, 'status' | 'severity' | 'tags' | 'dueAt' | 'acceptedUntil' | 'statusReason' | 'assigneeId'>
>;
type Circumstances = { at: string; reason: string | undefined; assignee: StoredFinding['assignee'] };

/**
 * The changes that a person's decision makes to a finding.
 * @throws conflict for a status that cannot follow, validation_failed for dates that make no sense
 */
export function triage(standing: StoredFinding, wanted: Triage, around: Circumstances): Partial<StoredFinding> {
  const { at, assignee } = around;
  const status = statusChanges(standing, wanted, around);
  const moved = { ...standing, ...status };
  const { severity = standing.severity, tags, dueAt, acceptedUntil } = wanted;
  if (acceptedUntil) assertAcceptable(moved.status, acceptedUntil, at);
  return {
    ...status,
    ...(wanted.severity && severityChanges(standing, severity)),
    ...dueChanges(standing, { ...moved, severity }),
    ...(dueAt !== undefined && { dueAt: dueAt === null ? undefined : inUtc(dueAt) }),
    ...(acceptedUntil !== undefined && { acceptedUntil: acceptedUntil === null ? undefined : inUtc(acceptedUntil) }),
    ...(tags && { tags }),
    ...(wanted.assigneeId !== undefined && { assignee }),
    ...(assignee && standing.acknowledgedAt === undefined && { acknowledgedAt: at }),
  };
}

function statusChanges(
  standing: StoredFinding,
  { status, statusReason, acceptedUntil }: Triage,
  { at, reason }: Circumstances,
): Partial<StoredFinding> {
  if (status === undefined) return statusReason === undefined ? {} : { statusReason: statusReason ?? undefined };
  const move = { to: status, at, reason: statusReason ?? reason, acceptedUntil: acceptedUntil ?? undefined };
  if (!canMove(standing.status, move)) {
    const allowed = personMoves[standing.status].join(', ');
    const message = `A finding that is ${standing.status} cannot become ${status}; it can become ${allowed}.`;
    throw conflict(message, [{ path: 'status', message }]);
  }
  return moveStatus(standing, move);
}

const severityChanges = (standing: StoredFinding, severity: Finding['severity']): Partial<StoredFinding> => ({
  severity,
  severityOverridden: true,
  priority: priorityOf({ ...standing, severity }),
});

/** A date that nobody chose follows the severity, and counts anew when the finding is opened again. */
function dueChanges(standing: StoredFinding, after: StoredFinding): Partial<StoredFinding> {
  const reopened = standing.status === 'fixed' && isOpen(after.status);
  const chosen = standing.dueAt !== dueAtOf(standing.severity, openSince(standing));
  if (chosen && !reopened) return {};
  const dueAt = dueAtOf(after.severity, openSince(after));
  return dueAt === standing.dueAt ? {} : { dueAt };
}

function assertAcceptable(status: Finding['status'], until: string, at: string): void {
  if (status !== 'risk_accepted')
    throw invalid('acceptedUntil', 'can be set only on a finding whose status is risk_accepted');
  if (inUtc(until) <= at) throw invalid('acceptedUntil', 'must be a time in the future');
}

/** Times are compared and counted as texts once they are stored. */
const inUtc = (time: string): string => new Date(time).toISOString();
