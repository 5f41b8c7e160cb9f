import { invalid } from '#shared/platform/runtime/errors.ts';
import { assertMove } from '#shared/platform/runtime/state-machine.ts';
import type { Finding, StoredFinding } from '../finding/finding.ts';
import { severityByPerson } from '../finding/finding-severity.ts';
import { dueSince, isOpen, moveStatus, personMoves } from '../finding/finding-status.ts';
import { dueFields, isDueChosen, type Sla } from '../sla/sla-policies.ts';
import type { FindingRow } from '../view/view.ts';
import { approvedBy } from './people.ts';

/** The fields that a person may set and that a request changes. */
export type Triage = Partial<
  Pick<Finding, 'status' | 'tags' | 'dueAt' | 'acceptedUntil' | 'restartSla' | 'statusReason' | 'assigneeId'>
> & {
  /** null: the tool's again. */
  severity?: Finding['severity'] | null;
};

/** The time and the reason of a decision, and the people that it names. */
type Circumstances = {
  at: string;
  reason: string | undefined;
  /** The new assignee, where `assigneeId` changes. */
  assignee: StoredFinding['assignee'];
  /** The request names a status, even the present one: a new assignee moves the finding to no other. */
  namesStatus: boolean;
  /** The person who approves the acceptance of a risk, or a new end of it. */
  approver: StoredFinding['acceptedBy'];
  /** With the finding's asset (`learnTraits`). */
  sla: Sla;
};

/**
 * The changes that a person's decision makes to a finding.
 * @throws conflict for a status that cannot follow, validation_failed for dates that make no sense
 */
export function triage(current: FindingRow, wanted: Triage, around: Circumstances): Partial<StoredFinding> {
  const { at, assignee, approver, sla } = around;
  const taken = around.namesStatus ? {} : statusOfTaking(current, wanted);
  const status = statusChanges(current, { ...taken, ...wanted }, around);
  const moved = { ...current, ...status };
  const { tags, dueAt, acceptedUntil, restartSla } = wanted;
  const rated = wanted.severity === undefined ? {} : severityByPerson(current, wanted.severity);
  const decides = [wanted.status, wanted.statusReason, acceptedUntil, restartSla].some((value) => value !== undefined);
  if (acceptedUntil) assertAcceptable(moved.status, acceptedUntil, at);
  if (restartSla) assertAccepted(moved.status, 'restartSla');
  return {
    ...status,
    ...rated,
    ...dueChanges(current, { ...moved, ...rated }, sla),
    ...(dueAt !== undefined && { dueAt: dueAt === null ? undefined : inUtc(dueAt), dueChosen: true }),
    ...(acceptedUntil !== undefined && {
      acceptedUntil: acceptedUntil === null ? undefined : inUtc(acceptedUntil),
      acceptedBy: moved.status === 'risk_accepted' ? approvedBy(approver) : undefined,
    }),
    ...(restartSla !== undefined && { restartSla: restartSla || undefined }),
    ...(decides && { decidedAt: at, suppressedBy: undefined, follows: undefined }),
    ...(tags && { tags }),
    ...(wanted.assigneeId !== undefined && { assignee, assigneeFollows: undefined }),
    ...(assignee && current.acknowledgedAt === undefined && { acknowledgedAt: at }),
  };
}

/**
 * An open finding that gets an assignee is in progress, and one in progress that has none any more is open. That is no decision
 * on the risk: suppression rules apply to the finding as before.
 */
function statusOfTaking({ status }: FindingRow, { assigneeId }: Triage): Pick<Triage, 'status'> {
  if (status === 'open' && assigneeId) return { status: 'in_progress' };
  return status === 'in_progress' && assigneeId === null ? { status: 'open' } : {};
}

function statusChanges(
  current: FindingRow,
  { status, statusReason, acceptedUntil, restartSla }: Triage,
  { at, reason, approver }: Circumstances,
): Partial<StoredFinding> {
  if (status === undefined) return reasonChanges(current, statusReason);
  const accepted = { acceptedUntil: acceptedUntil ?? undefined, restartSla: restartSla || undefined };
  const move = { to: status, at, reason: statusReason ?? reason, ...accepted };
  assertMove(personMoves, { name: 'A finding', from: current.status, to: status });
  if (status !== 'risk_accepted') return moveStatus(current, move);
  assertReason(move.reason);
  return moveStatus(current, { ...move, approver: approvedBy(approver) });
}

function reasonChanges({ status }: FindingRow, reason: Triage['statusReason']): Partial<StoredFinding> {
  if (reason === undefined) return {};
  if (status === 'risk_accepted') assertReason(reason);
  return { statusReason: reason ?? undefined };
}

/** A date that nobody chose follows the severity, and is computed again when the finding is opened again. */
function dueChanges(current: FindingRow, after: FindingRow, sla: Sla): Partial<StoredFinding> {
  const reopened = current.status === 'fixed' && isOpen(after.status);
  if (isDueChosen(current) && !reopened) return {};
  const due = dueFields(sla, after, dueSince(after));
  return due.dueAt === current.dueAt && !reopened ? {} : due;
}

/** @throws validation_failed where a risk would be accepted without a word why */
export function assertReason(reason: string | null | undefined): void {
  if (!reason) throw invalid('reason', 'must say why the risk is accepted');
}

function assertAcceptable(status: Finding['status'], until: string, at: string): void {
  assertAccepted(status, 'acceptedUntil');
  if (inUtc(until) <= at) throw invalid('acceptedUntil', 'must be a time in the future');
}

function assertAccepted(status: Finding['status'], field: string): void {
  if (status !== 'risk_accepted') throw invalid(field, 'can be set only on a finding whose status is risk_accepted');
}

/** Times are compared and counted as texts once they are stored. */
const inUtc = (time: string): string => new Date(time).toISOString();
