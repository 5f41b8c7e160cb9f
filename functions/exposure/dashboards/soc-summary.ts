import { filtered, listed, withLists } from '#shared/platform/http/figures.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
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
import { countsOf } from './summaries.ts';

/** Five small reads beside each other. */
export async function socSummary(table: Table): Promise<SOCSummary> {
  const at = nowMs();
  const days = { from: daysAgo(at, 1), to: daysAgo(at, 0) };
  const [alertFacets, incidentFacets, actions, opened, failed] = await Promise.all([
    table.facets(alerts),
    table.facets(incidents),
    table.facets(responseActions),
    table.tallies(alerts, 'opened', days),
    table.tallies(responseActions, 'failed', days),
  ]);
  const dayAgo = hourBefore(at, 23);
  const figures = {
    asOf: new Date(at).toISOString(),
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
  return withLists(figures, {
    alerts: {
      ...listsOf(ALERTS, ALERT_STATUSES.filter(isOpenAlert)),
      unassigned: filtered(ALERTS)(`status:${ALERT_STATUSES.filter(isOpenAlert)} assignee:none`),
      opened24h: null,
    },
    incidents: listsOf('/api/v1/soc/incidents', INCIDENT_STATUSES.filter(isOpenIncident)),
    responseActions: (name) => ACTIONS[name],
  });
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
