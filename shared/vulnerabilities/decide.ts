import type { StoredVulnerability } from '../entities/vulnerability.ts';
import { approvedBy } from '../findings/people.ts';
import { assertReason } from '../findings/triage.ts';
import { now } from '../runtime/clock.ts';
import { conflict, invalid } from '../runtime/errors.ts';
import type { Write } from '../table/io/commit.ts';
import type { Table } from '../table/table.ts';
import { moveTimer } from '../timers/timers.ts';
import { decidedFields } from './fold.ts';

type Decision = NonNullable<StoredVulnerability['decision']>;

/** The decisions of a request; absent fields stay as they are, null takes them away. */
type Decided = {
  status?: StoredVulnerability['status'] | null | undefined;
  reason?: string | null | undefined;
  acceptedUntil?: string | null | undefined;
  treatment?: Decision['treatment'] | null | undefined;
  restartSla?: boolean | null | undefined;
};

type Around = { at: string; approver: Decision['approver'] };

/**
 * The changes that a person's decision makes to a vulnerability.
 * @throws conflict for a status that its findings do not allow, validation_failed for fields of no acceptance
 */
export function decide(standing: StoredVulnerability, wanted: Decided, around: Around): Partial<StoredVulnerability> {
  const status = wanted.status ?? undefined;
  const isSame = status === undefined || status === standing.status;
  if (!isSame) assertCanBecome(standing, status);
  const decision = isSame ? changedDecision(standing, wanted, around) : newDecision(status, wanted, around);
  const changes = decidedFields(
    standing.said.map(([facts]) => facts),
    decision,
  );
  const takesBack = standing.decision !== undefined;
  if (!isSame && status === 'open' && !takesBack && changes.status !== 'open' && changes.status !== 'in_progress')
    throw refused(`All of its findings are ${changes.status}: open one of them.`);
  return changes;
}

function assertCanBecome(standing: StoredVulnerability, status: StoredVulnerability['status']): void {
  if (status === 'fixed')
    throw refused('A vulnerability is fixed when its last finding is: set the status of its findings.');
  if (standing.status === 'fixed')
    throw refused('A vulnerability that is fixed is open again when one of its findings returns.');
}

const refused = (message: string) => conflict(message, [{ path: 'status', message }]);

function newDecision(
  status: StoredVulnerability['status'],
  wanted: Decided,
  { at, approver }: Around,
): Decision | undefined {
  if (status !== 'risk_accepted') assertNoAcceptance(wanted);
  if (status === 'open' || status === 'fixed') return undefined;
  const { reason, acceptedUntil, treatment, restartSla } = wanted;
  if (status !== 'risk_accepted') return { status, at, ...(reason && { reason }) };
  assertReason(reason);
  assertFuture('acceptedUntil', acceptedUntil);
  return {
    ...{ status, at, approver: approvedBy(approver), treatment: treatment ?? 'accept' },
    ...(reason && { reason }),
    ...(acceptedUntil && { until: acceptedUntil }),
    ...(restartSla && { restartSla }),
  };
}

/** The status stays: a reason, an end or a treatment may change. */
function changedDecision(
  { decision }: StoredVulnerability,
  wanted: Decided,
  { at, approver }: Around,
): Decision | undefined {
  if (decision?.status !== 'risk_accepted') assertNoAcceptance(wanted);
  if (!decision) return undefined;
  const { reason, acceptedUntil, treatment, restartSla } = wanted;
  if ([reason, acceptedUntil, treatment, restartSla].every((value) => value === undefined)) return decision;
  if (decision.status === 'risk_accepted' && reason === null) assertReason(reason);
  assertFuture('acceptedUntil', acceptedUntil);
  const next = {
    ...decision,
    ...(reason !== undefined && { reason: reason ?? undefined }),
    ...(acceptedUntil !== undefined && { until: acceptedUntil ?? undefined }),
    ...(treatment && { treatment }),
    ...(restartSla !== undefined && { restartSla: restartSla || undefined }),
  };
  const isSame = JSON.stringify(next) === JSON.stringify(decision);
  return isSame
    ? decision
    : { ...next, at, ...(decision.status === 'risk_accepted' && { approver: approvedBy(approver) }) };
}

/** @throws validation_failed where a field belongs to a risk that is accepted */
function assertNoAcceptance(wanted: Decided): void {
  for (const field of ['acceptedUntil', 'treatment', 'restartSla'] as const)
    if (wanted[field])
      throw invalid(
        field,
        'can be set only on a vulnerability whose status this request or an earlier one set to risk_accepted',
      );
}

/** @throws validation_failed */
export function assertFuture(field: string, until: string | null | undefined): void {
  if (until && until <= now()) throw invalid(field, 'must be a time in the future');
}

/** When the risk of a vulnerability is no longer accepted, in milliseconds. */
export const acceptanceEnd = ({ decision }: Pick<StoredVulnerability, 'decision'>): number | undefined =>
  decision?.status === 'risk_accepted' && decision.until ? Date.parse(decision.until) : undefined;

/** Moves the timer that ends the acceptance: for the transaction that makes, decides on or deletes the vulnerability. */
export function acceptanceWrites(
  { organizationId }: Table,
  before: StoredVulnerability | undefined,
  after: StoredVulnerability | undefined,
): Write[] {
  const id = (after ?? before)?.id ?? '';
  const end = (one: StoredVulnerability | undefined) => one && acceptanceEnd(one);
  return moveTimer({ kind: 'vulnerability', organizationId, id }, end(before), end(after));
}
