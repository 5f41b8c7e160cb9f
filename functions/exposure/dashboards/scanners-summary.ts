import { filtered, listed, withLists } from '#shared/platform/http/figures.ts';
import { inAnyCase } from '#shared/platform/http/value-counts.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { TallyCount } from '#shared/platform/table/counters.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { countedSince, daysAgo, hourBefore } from '#shared/reporting/figures/days.ts';
import { sum } from '#shared/reporting/figures/percentile.ts';
import { MACHINE_STATUSES } from '#shared/scanning/machines/machine.ts';
import { scannerTasks, waitingByType, waitingSince } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { isUnassignable } from '#shared/scanning/scanner-tasks/waiting.ts';
import { readFitName, scanners } from '#shared/scanning/scanners/scanner.ts';
import type { ScannersSummary } from './records.ts';
import { countsOf } from './summaries.ts';

/** Six small reads beside each other. */
export async function scannersSummary(table: Table): Promise<ScannersSummary> {
  const at = nowMs();
  const [facets, fits, tasks, waiting, failed, oldest] = await Promise.all([
    table.facets(scanners),
    table.tallies(scanners, 'fit'),
    table.facets(scannerTasks),
    table.tallies(scannerTasks, 'queued'),
    table.tallies(scannerTasks, 'failed', { from: daysAgo(at, 1), to: daysAgo(at, 0) }),
    table.highestRank(scannerTasks, 'oldest'),
  ]);
  const byStatus = countsOf(MACHINE_STATUSES, facets, 'status');
  const figures = {
    total: sum(Object.values(byStatus)),
    byStatus,
    byZone: inZones(fits),
    outdated: (facets['version:outdated'] ?? 0) + (facets['version:unsupported'] ?? 0),
    tasks: {
      pending: tasks['status:pending'] ?? 0,
      running: tasks['status:running'] ?? 0,
      failed24h: countedSince(failed, hourBefore(at, 23)),
      unassignable: unassignable(waiting, fits),
    },
    oldestPendingSeconds: oldest === undefined ? null : Math.max(0, Math.floor(at / 1000) - waitingSince(oldest)),
  };
  const path = '/api/v1/validation-operations/scanners';
  return withLists(figures, {
    total: path,
    byStatus: (status) => listed(path, { status }),
    byZone: (zone) => listed(path, { zone }),
    outdated: listed(path, { versionStatus: 'outdated,unsupported' }),
    tasks: (figure) => (figure === 'pending' || figure === 'running' ? tasksWith(`status:${figure}`) : null),
    oldestPendingSeconds: null,
  });
}

const tasksWith = filtered('/api/v1/validation-operations/scanner-tasks');

/** The scanners of each zone; the empty name is no zone. */
function inZones(fits: readonly TallyCount[]): Record<string, number> {
  const zones = fits.map(({ value, counts }) => ({
    value: readFitName(value ?? '').zone ?? '',
    counts: { n: counts.all ?? 0 },
  }));
  return Object.fromEntries(
    inAnyCase(zones).flatMap(({ value, counts }) => (counts.n ? [[value ?? '', counts.n]] : [])),
  );
}

/** The number of tasks that no enabled scanner of their zone and group can take. */
function unassignable(queues: readonly TallyCount[], fits: readonly TallyCount[]): number {
  const byName = new Map(fits.map(({ value, counts }) => [value, counts]));
  const stuck = queues.flatMap(({ value, counts }) => {
    const fit = byName.get(value) ?? {};
    return waitingByType(counts).map(([type, waiting]) => (isUnassignable(fit, type) ? waiting : 0));
  });
  return sum(stuck);
}
