import { filtered, listed, withLists } from '#shared/platform/http/figures.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { perValue } from '#shared/platform/runtime/per-value.ts';
import type { Counts } from '#shared/platform/table/counters.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { countedSince, daysAgo, hourBefore } from '#shared/reporting/figures/days.ts';
import { sum } from '#shared/reporting/figures/percentile.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { ALERT_STATUSES, INCIDENT_STATUSES, isOpenAlert, isOpenIncident } from '#shared/soc/alerts/soc-status.ts';
import { incidents } from '#shared/soc/incidents/incident.ts';
import { responseActions } from '#shared/soc/incidents/response-action.ts';
import type { SOCSummary } from './records.ts';
import { seenCounts } from './seen-counts.ts';
import { countsOf } from './summaries.ts';

const OPEN_ALERTS = ALERT_STATUSES.filter(isOpenAlert);
const OPEN_INCIDENTS = INCIDENT_STATUSES.filter(isOpenIncident);

export async function socSummary(table: Table): Promise<SOCSummary> {
  const at = nowMs();
  const { part } = table;
  const figures = { asOf: new Date(at).toISOString(), ...(await (part ? seenFigures : countedFigures)(table, at)) };
  return withLists(figures, {
    alerts: {
      ...listsOf(ALERTS, OPEN_ALERTS),
      unassigned: filtered(ALERTS)(`status:${OPEN_ALERTS.join()} assignee:none`),
      opened24h: null,
    },
    incidents: listsOf('/api/v1/soc/incidents', OPEN_INCIDENTS),
    responseActions: (name) => ACTIONS[name],
  });
}

/** An hour is counted to its end. */
const HOURS = 23;

/** Five small reads beside each other. */
async function countedFigures(table: Table, at: number) {
  const days = { from: daysAgo(at, 1), to: daysAgo(at, 0) };
  const [alertFacets, incidentFacets, actions, opened, failed] = await Promise.all([
    table.facets(alerts),
    table.facets(incidents),
    table.facets(responseActions),
    table.tallies(alerts, 'opened', days),
    table.tallies(responseActions, 'failed', days),
  ]);
  const dayAgo = hourBefore(at, HOURS);
  return {
    alerts: {
      ...countsByStatus(alertFacets, ALERT_STATUSES),
      unassigned: alertFacets.unassigned ?? 0,
      opened24h: countedSince(opened, dayAgo),
    },
    incidents: countsByStatus(incidentFacets, INCIDENT_STATUSES),
    responseActions: {
      awaitingApproval: actions['status:awaiting_approval'] ?? 0,
      running: actions['status:running'] ?? 0,
      failed24h: countedSince(failed, dayAgo),
    },
  };
}

/** The same of what a caller with a part of the organization sees. */
async function seenFigures(table: Table, at: number) {
  const from = hourBefore(at, HOURS);
  const nobody = { name: 'assigneeId', values: [null] };
  const [ofAlerts, ofIncidents, ofActions] = await Promise.all([
    seenCounts(table, alerts, { sets: { opened24h: { order: 'hour', from } }, some: nobody }),
    seenCounts(table, incidents, { sets: {} }),
    seenCounts(table, responseActions, { sets: { failed24h: { order: 'failed', from } } }),
  ]);
  return {
    alerts: {
      ...seenByStatus(ofAlerts.of, ALERT_STATUSES, OPEN_ALERTS),
      unassigned: sum(OPEN_ALERTS.map((status) => ofAlerts.ofSome({ status }))),
      opened24h: ofAlerts.inSet('opened24h'),
    },
    incidents: seenByStatus(ofIncidents.of, INCIDENT_STATUSES, OPEN_INCIDENTS),
    responseActions: {
      awaitingApproval: ofActions.of({ status: 'awaiting_approval' }),
      running: ofActions.of({ status: 'running' }),
      failed24h: ofActions.inSet('failed24h'),
    },
  };
}

const ALERTS = '/api/v1/soc/alerts';
const ACTIONS = {
  awaitingApproval: listed('/api/v1/soc/response-actions', { status: 'awaiting_approval' }),
  running: listed('/api/v1/soc/response-actions', { status: 'running' }),
  failed24h: null,
};

const listsOf = (path: string, open: readonly string[]) => ({
  total: path,
  byStatus: (status: string) => filtered(path)(`status:${status}`),
  openBySeverity: (severity: string) => filtered(path)(`status:${open.join()} severity:${severity}`),
});

function countsByStatus<const S extends string>(facets: Counts, statuses: readonly S[]) {
  const byStatus = countsOf(statuses, facets, 'status');
  return {
    total: sum(statuses.map((status) => byStatus[status])),
    byStatus,
    openBySeverity: countsOf(Severity.options, facets, 'open'),
  };
}

type Of = (filter: Readonly<Record<string, string>>) => number;

const seenByStatus = <const S extends string>(of: Of, statuses: readonly S[], open: readonly S[]) => ({
  total: of({}),
  byStatus: perValue(statuses, (status) => of({ status })),
  openBySeverity: perValue(Severity.options, (severity) => sum(open.map((status) => of({ status, severity })))),
});
