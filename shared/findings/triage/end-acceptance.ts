import type { StoredFinding } from '../finding/finding.ts';
import type { OwnDecision } from '../finding/finding-decision.ts';
import { isOpen, moveStatus } from '../finding/finding-status.ts';
import { dueFields, type Sla } from '../sla/sla-policies.ts';
import type { FindingRow } from '../view/view.ts';

/** `rules`: the current suppression rules. */
type Around = { at: string; sla: Sla; rules?: ReadonlySet<string> };

/** The changes of a finding whose acceptance has ended. Its due date is the former one, unless its SLA restarts. */
export function endedAcceptance(finding: FindingRow, around: Around): Partial<StoredFinding> {
  const { acceptedUntil, restartSla, follows } = finding;
  const own = follows && ownFields(follows.was, around);
  const to = own?.status ?? 'open';
  const reason = `Its risk was accepted until ${acceptedUntil}.`;
  const opened = isOpen(to) ? moveStatus(finding, { to, at: around.at, reason, byClock: true }) : {};
  const isRestarted = restartSla && acceptedUntil !== undefined;
  return {
    ...own,
    ...opened,
    ...(isRestarted && { slaFrom: acceptedUntil, ...dueFields(around.sla, finding, acceptedUntil) }),
  };
}

/**
 * The fields of a finding that no longer follows its vulnerabilities. A rule that ended meanwhile does not suppress it.
 */
export function ownFields(
  { suppressedBy, ...own }: OwnDecision,
  { rules = new Set() }: Pick<Around, 'rules'>,
): Partial<StoredFinding> {
  const isHeld = suppressedBy === undefined || rules.has(suppressedBy.id);
  return {
    statusReason: undefined,
    acceptedUntil: undefined,
    acceptedBy: undefined,
    restartSla: undefined,
    decidedAt: undefined,
    ...own,
    suppressedBy: isHeld ? suppressedBy : undefined,
    follows: undefined,
    ...(!isHeld && { status: suppressedBy.was, statusReason: undefined }),
  };
}
