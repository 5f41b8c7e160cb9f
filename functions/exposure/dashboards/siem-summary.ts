import { listed, withLists } from '#shared/platform/http/figures.ts';
import { knownLimits } from '#shared/platform/quotas/limits.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { perValue } from '#shared/platform/runtime/per-value.ts';
import type { TallyCount } from '#shared/platform/table/counters.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { daysAgo, hourBefore } from '#shared/reporting/figures/days.ts';
import { sum } from '#shared/reporting/figures/percentile.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { MACHINE_STATUSES } from '#shared/scanning/machines/machine.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { collectors } from '#shared/soc/siem/collector.ts';
import { SOURCE_STATUSES, siemSources } from '#shared/soc/siem/siem-source.ts';
import { lastDay, newestVolumes } from '#shared/soc/siem/volume.ts';
import type { SIEMSummary } from './records.ts';
import { countsOf } from './summaries.ts';

/** Counters of machines, sources, events and alerts, read beside each other; the limits are at most a minute old. */
export async function siemSummary(table: Table): Promise<SIEMSummary> {
  const at = nowMs();
  const days = { from: daysAgo(at, 1), to: daysAgo(at, 0) };
  const [machines, sources, volumes, detected, limits] = await Promise.all([
    table.facets(collectors),
    table.facets(siemSources),
    newestVolumes(table),
    table.tallies(alerts, 'detected', days),
    knownLimits(table.dynamo, table.organizationId),
  ]);
  const collectorsBy = countsOf(MACHINE_STATUSES, machines, 'status');
  const total = sum(Object.values(collectorsBy));
  const { events, bytes } = lastDay(volumes, at);
  const since = hourBefore(at, 23);
  const figures = {
    asOf: new Date(at).toISOString(),
    enabled: total > 0,
    collectors: { total, online: collectorsBy.online },
    sources: {
      total: sum(Object.values(countsOf(SOURCE_STATUSES, sources, 'status'))),
      active24h: sources['day:active'] ?? 0,
      silent24h: sources['day:quiet'] ?? 0,
    },
    events24h: events,
    bytes24h: bytes,
    detections24h: perValue(Severity.options, (severity) => detectedSince(detected, since, severity)),
    lastEventAt: volumes[0]?.last ?? null,
    retentionDays: limits.siemRetentionDays,
  };
  return withLists(figures, {
    collectors: (name) => (name === 'total' ? '/api/v1/collectors' : listed('/api/v1/collectors', { status: name })),
    sources: (name) => SOURCES[name],
    events24h: null,
    bytes24h: null,
    detections24h: () => null,
    retentionDays: null,
  });
}

const SOURCES = {
  total: '/api/v1/siem/sources',
  active24h: listed('/api/v1/siem/sources', { quiet: 'false' }),
  silent24h: listed('/api/v1/siem/sources', { quiet: 'true' }),
};

/** The rows count by the hour and the first letter of the severity. */
const detectedSince = (days: readonly TallyCount[], since: string, severity: Severity): number =>
  sum(
    days.flatMap(({ value, counts }) =>
      Object.entries(counts).map(([name, count]) =>
        `${value}T${name.slice(0, 2)}` >= since && name.slice(2) === severity.slice(0, 1) ? count : 0,
      ),
    ),
  );
