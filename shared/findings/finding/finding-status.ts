import { type Span, spanOf } from '#shared/reports/report/time-measures.ts';

/** The life of a finding: one status at a time, with its moves as data. */
export const FINDING_STATUSES = [
  'open',
  'in_progress',
  'fixed',
  'false_positive',
  'risk_accepted',
  'out_of_scope',
] as const;
type FindingStatus = (typeof FINDING_STATUSES)[number];

/** Statuses that still ask for work; dashboards count these as open. */
export const OPEN_STATUSES: readonly FindingStatus[] = ['open', 'in_progress'];

export const isOpen = (status: FindingStatus): boolean => OPEN_STATUSES.includes(status);

type Following = { status: FindingStatus; follows?: { was: { status: FindingStatus } } | undefined };

/**
 * Whether the finding's own status is open, without the decision on its vulnerabilities: then a scan may prove it gone.
 */
export const isOpenItself = ({ status, follows }: Following): boolean => isOpen(follows?.was.status ?? status);

/** Moves that a person may make. Opening the finding again withdraws a decision. */
export const personMoves: Record<FindingStatus, readonly FindingStatus[]> = {
  open: ['in_progress', 'fixed', 'false_positive', 'risk_accepted', 'out_of_scope'],
  in_progress: ['open', 'fixed', 'false_positive', 'risk_accepted', 'out_of_scope'],
  fixed: ['open', 'in_progress'],
  false_positive: ['open', 'in_progress', 'risk_accepted', 'out_of_scope'],
  risk_accepted: ['open', 'in_progress', 'fixed', 'false_positive', 'out_of_scope'],
  out_of_scope: ['open', 'in_progress', 'false_positive', 'risk_accepted'],
};

/** Moves that a scan may make: it closes proven findings and opens returned ones. A decision stays. */
export const scanMoves: Record<FindingStatus, readonly FindingStatus[]> = {
  open: ['fixed'],
  in_progress: ['fixed'],
  fixed: ['open'],
  false_positive: [],
  risk_accepted: [],
  out_of_scope: [],
};

/** Moves that time makes: a risk that was accepted until a date asks for a decision again. */
export const clockMoves: Record<FindingStatus, readonly FindingStatus[]> = {
  open: [],
  in_progress: [],
  fixed: [],
  false_positive: [],
  risk_accepted: ['open'],
  out_of_scope: [],
};

/** Moves that a suppression rule makes, and takes back when it no longer applies. */
export const ruleMoves: Record<FindingStatus, readonly FindingStatus[]> = {
  open: ['false_positive', 'risk_accepted', 'out_of_scope'],
  in_progress: ['false_positive', 'risk_accepted', 'out_of_scope'],
  fixed: [],
  false_positive: ['open', 'in_progress', 'risk_accepted', 'out_of_scope'],
  risk_accepted: ['open', 'in_progress', 'false_positive', 'out_of_scope'],
  out_of_scope: ['open', 'in_progress', 'false_positive', 'risk_accepted'],
};

/** The earlier repairs of a returned finding, so that mean times count each repair; the newest ones. */
const MAX_REPAIRS = 5;

type Approver = { id: string; name: string };

/** The rule or the VEX document that gave a finding its status. */
type Suppression = {
  id: string;
  /** The rule's name, or the document's author. */
  name: string;
  /** It is a document. */
  document?: true | undefined;
  /** When the rule ends. */
  until?: string | undefined;
  /** The status that the finding gets back. */
  was: FindingStatus;
};

/** The fields of a finding that a change of status touches. */
export type StatusFields = {
  status: FindingStatus;
  firstSeenAt: string;
  reopenedCount: number;
  reopenedAt?: string;
  acknowledgedAt?: string;
  fixedAt?: string;
  fixedByTaskId?: string;
  acceptedUntil?: string;
  acceptedBy?: Approver;
  /** When the acceptance ends, the due date counts from its end. */
  restartSla?: true;
  /** The end of an acceptance, from which the due date is computed. */
  slaFrom?: string;
  suppressedBy?: Suppression;
  statusReason?: string;
  repairs?: Span[];
};

type StatusMove = {
  to: FindingStatus;
  at: string;
  reason?: string;
  /** The ingest task of the scan that proves it, when a scan moves the finding. */
  scanTaskId?: string;
  /** The acceptance ended: the clock moves the finding. */
  byClock?: true;
  /** A suppression rule applies, or no longer does. */
  byRule?: true;
  suppressedBy?: Suppression | undefined;
  /** Until when a risk is accepted. */
  acceptedUntil?: string;
  /** The person who approves the acceptance of the risk. */
  approver?: Approver;
  restartSla?: true | undefined;
};

/** Whether the person, scan, clock or rule that makes the move may make it. */
export function canMove(from: FindingStatus, { to, scanTaskId, byClock, byRule }: StatusMove): boolean {
  if (byRule) return ruleMoves[from].includes(to);
  if (byClock) return clockMoves[from].includes(to);
  return (scanTaskId ? scanMoves : personMoves)[from].includes(to);
}

/** The changes of a move; the caller has checked `canMove`. Only a fixed finding counts as reopened. */
export function moveStatus(finding: StatusFields, move: StatusMove): Partial<StatusFields> & { follows?: undefined } {
  const { to, at, reason, acceptedUntil, approver, suppressedBy, restartSla } = move;
  const isPersons = !(move.scanTaskId || move.byClock || move.byRule);
  const reopened = finding.status === 'fixed' && isOpen(to);
  return {
    status: to,
    statusReason: reason,
    fixedAt: to === 'fixed' ? at : undefined,
    fixedByTaskId: to === 'fixed' ? move.scanTaskId : undefined,
    acceptedUntil: to === 'risk_accepted' ? acceptedUntil : undefined,
    acceptedBy: to === 'risk_accepted' ? approver : undefined,
    restartSla: to === 'risk_accepted' ? restartSla : undefined,
    suppressedBy,
    follows: undefined,
    ...(isPersons && finding.acknowledgedAt === undefined && { acknowledgedAt: at }),
    ...(reopened && {
      reopenedAt: at,
      reopenedCount: finding.reopenedCount + 1,
      repairs: [...(finding.repairs ?? []), ...repairOf(finding)].slice(-MAX_REPAIRS),
    }),
  };
}

/** From when a repair is timed: a finding that returned counts again from its return. */
export const openSince = ({ firstSeenAt, reopenedAt }: Pick<StatusFields, 'firstSeenAt' | 'reopenedAt'>): string =>
  reopenedAt ?? firstSeenAt;

/** The time from which a policy computes the due date. */
export function dueSince(finding: StatusFields): string {
  const [since, { slaFrom = '' }] = [openSince(finding), finding];
  return slaFrom > since ? slaFrom : since;
}

/** The current repair of a fixed finding. */
export const repairOf = (finding: StatusFields): Span[] =>
  finding.status === 'fixed' ? spanOf(openSince(finding), finding.fixedAt) : [];
