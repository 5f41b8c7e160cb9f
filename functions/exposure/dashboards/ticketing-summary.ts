import { INTEGRATION_STATUSES } from '#shared/code/integrations/integration.ts';
import { filtered, listed, withLists } from '#shared/platform/http/figures.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { dayRange, dayReader, daysAgo, lastDays } from '#shared/reporting/figures/days.ts';
import { sum } from '#shared/reporting/figures/percentile.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { LEFT, TICKET_STATUSES, tickets } from '#shared/ticketing/ticket.ts';
import { ticketingConnections } from '#shared/ticketing/ticketing-connection.ts';
import { countsOf } from './summaries.ts';
import type { TicketingSummary } from './ticketing-record.ts';

const WEEK = 7;

/** Four small reads beside each other. */
export async function ticketingSummary(table: Table): Promise<TicketingSummary> {
  const at = nowMs();
  const [connections, facets, days, newest] = await Promise.all([
    table.facets(ticketingConnections),
    table.facets(tickets),
    table.tallies(tickets, 'day', dayRange(at, WEEK)),
    table.highestRank(ticketingConnections, 'synced'),
  ]);
  const byStatus = countsOf(TICKET_STATUSES, facets, 'status');
  const ofStatus = countsOf(INTEGRATION_STATUSES, connections, 'status');
  const total = sum(Object.values(ofStatus));
  const byPriority = countsOf(Severity.options, facets, 'open');
  const count = dayReader(days);
  const inWeek = (name: 'o' | 'f') => sum(lastDays(at, WEEK).map((day) => count(name, day)));
  const figures = {
    asOf: new Date(at).toISOString(),
    enabled: total > ofStatus.disabled,
    connections: total,
    total: sum(Object.values(byStatus)),
    open: sum(Object.values(byPriority)),
    byStatus,
    byPriority,
    created7d: inWeek('o'),
    resolved7d: inWeek('f'),
    syncErrors: facets.errors ?? 0,
    lastSyncAt: newest === undefined ? null : new Date(newest * 1000).toISOString(),
  };
  const path = '/api/v1/ticketing/tickets';
  const of = filtered(path);
  const week = `${daysAgo(at, WEEK - 1)}..${daysAgo(at, 0)}`;
  return withLists(figures, {
    connections: '/api/v1/ticketing/connections',
    total: path,
    open: listed(path, { status: LEFT.join() }),
    byStatus: (status) => listed(path, { status }),
    byPriority: (severity) => of(`status:${LEFT.join()} severity:${severity}`),
    created7d: of(`created:${week}`),
    resolved7d: of(`resolved:${week}`),
    syncErrors: listed(path, { failing: 'true' }),
  });
}
