import { isDeepStrictEqual } from 'node:util';
import type { StoredFinding } from '../entities/finding.ts';
import type { OwnDecision } from '../entities/finding-decision.ts';
import type { StoredVulnerability } from '../entities/vulnerability.ts';
import { endedAcceptance, ownFields } from '../findings/end-acceptance.ts';
import type { Sla } from '../findings/sla-policies.ts';
import type { FindingRow } from '../findings/view.ts';

/** The decision on a vulnerability or an exposed credential, and whose it is. */
export type DecidedOn = Pick<StoredVulnerability, 'id' | 'decision' | 'assignee'>;
type Decision = NonNullable<DecidedOn['decision']>;

type Around = {
  at: string;
  sla: Sla;
  /** The suppression rules that stand. */
  rules: ReadonlySet<string>;
};

/**
 * The changes that bring a finding to the decisions on its vulnerabilities, all of which are given. It follows only when each
 * of them is decided on, by the decision that leaves the most to do; when one is not any more, it has its own status back. A
 * later decision on the finding itself stands, and so does an assignee whom somebody gave it.
 */
export function followingChanges(
  finding: FindingRow,
  vulnerabilities: readonly DecidedOn[],
  around: Around,
): Partial<StoredFinding> | undefined {
  const { ownStatus, ...assigned } = assignedFields(finding, vulnerabilities);
  const own = { ...ownOf(finding), status: ownStatus };
  const next = { ...assigned, ...statusFields(finding, own, decidingOf(vulnerabilities, around.at), around) };
  const changes = Object.entries(next).filter(([name, value]) => !isDeepStrictEqual(Reflect.get(finding, name), value));
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}

/** The status that a finding has without the decision on its vulnerabilities. */
const ownOf = (finding: FindingRow): OwnDecision =>
  finding.follows?.was ?? {
    status: finding.status,
    statusReason: finding.statusReason,
    acceptedUntil: finding.acceptedUntil,
    acceptedBy: finding.acceptedBy,
    restartSla: finding.restartSla,
    suppressedBy: finding.suppressedBy,
    decidedAt: finding.decidedAt,
  };

/** An open finding that gets an assignee is in progress, and as it was when it has none any more. */
function assignedFields(finding: FindingRow, vulnerabilities: readonly DecidedOn[]) {
  const { assigneeFollows: before } = finding;
  const { status, decidedAt = '' } = ownOf(finding);
  const isOwn = finding.assignee !== undefined && before === undefined;
  const assignee = isOwn ? undefined : commonAssignee(vulnerabilities);
  if (isOwn || (!assignee && !before)) return { ownStatus: status };
  if (!assignee) {
    const ownStatus = status === 'in_progress' ? (before ?? status) : status;
    return { assignee, assigneeFollows: undefined, ownStatus };
  }
  const assigneeFollows = before ?? (status === 'in_progress' ? status : 'open');
  const isTaken = status === 'open' && (before === undefined || decidedAt <= (finding.reopenedAt ?? ''));
  return { assignee, assigneeFollows, ownStatus: isTaken ? ('in_progress' as const) : status };
}

/** The one to whom all of them are given. */
function commonAssignee(vulnerabilities: readonly DecidedOn[]): DecidedOn['assignee'] {
  const [first, ...others] = vulnerabilities.map(({ assignee }) => assignee);
  return others.every((one) => one?.id === first?.id) ? first : undefined;
}

type Deciding = { decision: Decision; at: string; until: string | undefined; vulnerabilityIds: string[] };

const MOST_TO_DO: readonly Decision['status'][] = ['in_progress', 'risk_accepted', 'false_positive'];

/** The decision that counts where all are decided on. The first end is that of all, because one is open again then. */
function decidingOf(vulnerabilities: readonly DecidedOn[], at: string): Deciding | undefined {
  const decisions = vulnerabilities.flatMap(({ decision }) => decision ?? []);
  const ends = decisions.flatMap(({ until }) => until ?? []).sort();
  const isEnded = ends[0] !== undefined && ends[0] <= at;
  const [decision] = decisions.toSorted(mostToDoFirst);
  if (!decision || decisions.length < vulnerabilities.length || isEnded) return undefined;
  const since = decisions.map((one) => one.at).sort();
  const vulnerabilityIds = vulnerabilities.map(({ id }) => id).sort();
  return { decision, at: since.at(-1) ?? '', until: ends[0], vulnerabilityIds };
}

const placeOf = ({ status, until, at }: Decision): string => `${MOST_TO_DO.indexOf(status)} ${until ?? 'never'} ${at}`;

const mostToDoFirst = (a: Decision, b: Decision): number => (placeOf(a) < placeOf(b) ? -1 : 1);

/** A fixed finding is fixed, whatever was decided. */
function statusFields(
  finding: FindingRow,
  own: OwnDecision,
  deciding: Deciding | undefined,
  around: Around,
): Partial<StoredFinding> {
  if (own.status === 'fixed') return {};
  if (deciding && isTaken(finding, deciding)) return decidedFields(finding, own, deciding);
  if (finding.follows) {
    const follows = { ...finding.follows, was: own };
    return isEnded(finding, around.at) ? endedAcceptance({ ...finding, follows }, around) : ownFields(own, around);
  }
  return { status: own.status };
}

/** Once only: what happens to the finding behind it stands. One that was fixed and is back takes it anew. */
function isTaken({ follows, decidedAt = '', reopenedAt = '' }: FindingRow, { at }: Deciding): boolean {
  return follows !== undefined || decidedAt < at || decidedAt < reopenedAt;
}

function decidedFields(
  { firstSeenAt, acknowledgedAt, reopenedAt = '' }: FindingRow,
  own: OwnDecision,
  { decision, at, until, vulnerabilityIds }: Deciding,
): Partial<StoredFinding> {
  const { status, reason, approver, restartSla } = decision;
  const isAccepted = status === 'risk_accepted';
  return {
    ...{ status, statusReason: reason, suppressedBy: undefined },
    ...{ acceptedUntil: isAccepted ? until : undefined, acceptedBy: isAccepted ? approver : undefined },
    restartSla: isAccepted ? restartSla : undefined,
    decidedAt: at > reopenedAt ? at : reopenedAt,
    acknowledgedAt: acknowledgedAt ?? (at > firstSeenAt ? at : firstSeenAt),
    follows: { vulnerabilityIds, was: own },
  };
}

const isEnded = ({ acceptedUntil }: FindingRow, at: string): boolean =>
  acceptedUntil !== undefined && acceptedUntil <= at;
