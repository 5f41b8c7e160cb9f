import type { Severity } from '#shared/reports/report/report.ts';
import { type Life, type Span, spanOf } from '#shared/reports/report/time-measures.ts';

export const ALERT_STATUSES = ['new', 'acknowledged', 'in_progress', 'resolved', 'false_positive'] as const;
type AlertStatus = (typeof ALERT_STATUSES)[number];

const OPEN_ALERT_STATUSES: readonly AlertStatus[] = ['new', 'acknowledged', 'in_progress'];
export const isOpenAlert = (status: AlertStatus): boolean => OPEN_ALERT_STATUSES.includes(status);

/** No alert becomes new again, unless a bulk change is undone: somebody has seen it. */
export const alertMoves: Record<AlertStatus, readonly AlertStatus[]> = {
  new: ['acknowledged', 'in_progress', 'resolved', 'false_positive'],
  acknowledged: ['in_progress', 'resolved', 'false_positive'],
  in_progress: ['acknowledged', 'resolved', 'false_positive'],
  resolved: ['acknowledged', 'in_progress', 'false_positive'],
  false_positive: ['acknowledged', 'in_progress', 'resolved'],
};

export const INCIDENT_STATUSES = ['open', 'investigating', 'contained', 'eradicated', 'recovered', 'closed'] as const;
type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

export const isOpenIncident = (status: IncidentStatus): boolean => status !== 'closed';

/** Work goes on in order or skips steps; from anywhere it may turn out that there is more to investigate. */
export const incidentMoves: Record<IncidentStatus, readonly IncidentStatus[]> = {
  open: ['investigating', 'contained', 'eradicated', 'recovered', 'closed'],
  investigating: ['contained', 'eradicated', 'recovered', 'closed'],
  contained: ['investigating', 'eradicated', 'recovered', 'closed'],
  eradicated: ['investigating', 'contained', 'recovered', 'closed'],
  recovered: ['investigating', 'closed'],
  closed: ['investigating'],
};

/** Statuses in which nothing spreads any more. */
const CONTAINED: readonly IncidentStatus[] = ['contained', 'eradicated', 'recovered'];

/** The newest ends before returns that a record stores, so that mean times count each. */
const MAX_REPAIRS = 5;

type Returning = { reopenedAt: string | null; reopenedCount: number; repairs?: Span[] | undefined };

type AlertTimes = Returning & {
  status: AlertStatus;
  severity: Severity;
  createdAt: string;
  firstEventAt: string;
  acknowledgedAt: string | null;
  resolvedAt: string | null;
};

type IncidentTimes = Returning & {
  status: IncidentStatus;
  severity: Severity;
  detectedAt: string;
  acknowledgedAt: string | null;
  containedAt: string | null;
  closedAt: string | null;
};

/** The time from which an alert counts: its last reopening, if any. */
const alertSince = ({ reopenedAt, createdAt }: AlertTimes): string => reopenedAt ?? createdAt;
const incidentSince = ({ reopenedAt, detectedAt }: IncidentTimes): string => reopenedAt ?? detectedAt;

/** A false positive was never resolved. */
const lastRepair = (alert: AlertTimes): Span[] =>
  alert.status === 'resolved' ? spanOf(alertSince(alert), alert.resolvedAt) : [];
const lastClosing = (incident: IncidentTimes): Span[] => spanOf(incidentSince(incident), incident.closedAt);

export const alertLife = (alert: AlertTimes): Life => ({
  severity: alert.severity,
  openedAt: alert.createdAt,
  reopenedAt: alert.reopenedAt ?? undefined,
  openSince: isOpenAlert(alert.status) ? alertSince(alert) : undefined,
  spans: {
    detect: spanOf(alert.firstEventAt, alert.createdAt),
    acknowledge: spanOf(alert.createdAt, alert.acknowledgedAt),
    repair: [...(alert.repairs ?? []), ...lastRepair(alert)],
  },
});

export const incidentLife = (incident: IncidentTimes): Life => ({
  severity: incident.severity,
  openedAt: incident.detectedAt,
  reopenedAt: incident.reopenedAt ?? undefined,
  openSince: isOpenIncident(incident.status) ? incidentSince(incident) : undefined,
  spans: {
    acknowledge: spanOf(incident.detectedAt, incident.acknowledgedAt),
    contain: spanOf(incident.detectedAt, incident.containedAt),
    repair: [...(incident.repairs ?? []), ...lastClosing(incident)],
  },
});

const returned = (before: Returning, at: string, last: Span[]): Returning => ({
  reopenedAt: at,
  reopenedCount: before.reopenedCount + 1,
  repairs: [...(before.repairs ?? []), ...last].slice(-MAX_REPAIRS),
});

/** The changes that a move makes to an alert; the caller has asked `alertMoves`. */
export function moveAlert(alert: AlertTimes, to: AlertStatus, at: string): Partial<AlertTimes> {
  const isBack = !isOpenAlert(alert.status) && isOpenAlert(to);
  return {
    status: to,
    acknowledgedAt: alert.acknowledgedAt ?? at,
    resolvedAt: isOpenAlert(to) ? null : at,
    ...(isBack && returned(alert, at, lastRepair(alert))),
  };
}

/** The changes that a move makes to an incident; the caller has asked `incidentMoves`. */
export function moveIncident(incident: IncidentTimes, to: IncidentStatus, at: string): Partial<IncidentTimes> {
  return {
    status: to,
    acknowledgedAt: incident.acknowledgedAt ?? at,
    containedAt: containedAfter(incident, to, at),
    closedAt: to === 'closed' ? at : null,
    ...(incident.status === 'closed' && returned(incident, at, lastClosing(incident))),
  };
}

/**
 * A closed incident keeps the time of its containment, if any; an incident under investigation again is not contained.
 */
function containedAfter({ containedAt }: IncidentTimes, to: IncidentStatus, at: string): string | null {
  if (CONTAINED.includes(to)) return containedAt ?? at;
  return to === 'closed' ? containedAt : null;
}
