import * as z from 'zod';
import { assets } from '#shared/assets/asset/asset.ts';
import { integrations } from '#shared/code/integrations/integration.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { importedReports } from '#shared/ingest/imported-report.ts';
import { objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { DAY_MS, nowMs } from '#shared/platform/runtime/clock.ts';
import { perValue } from '#shared/platform/runtime/per-value.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { countFrom, dayOf, FOREVER, monthOf, sumSince, tenDaysOf } from '#shared/reports/report/time-measures.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { scanners } from '#shared/scanning/scanners/scanner.ts';
import { integrators } from '#shared/soc/incidents/integrator.ts';
import { collectors } from '#shared/soc/siem/collector.ts';
import { ticketingConnections } from '#shared/ticketing/ticketing-connection.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';

const Count = z.int().nonnegative();

/** The figures of a client for its provider, each from counters. */
export const OrganizationSummary = objectNamed('OrganizationSummary', {
  assets: Count.meta({ description: 'without retired assets' }),
  findingsOpen: z.record(Severity, Count).meta({ description: 'open findings by severity' }),
  overdue: Count.meta({ description: 'open findings of which the day of `dueAt` (UTC) is over' }),
  kevOpen: Count.meta({ description: 'open vulnerabilities that are known to be exploited (CISA KEV)' }),
  scannersOffline: Count,
  scannersOutdated: Count.meta({
    description: 'their software is older than the current version, or no longer supported',
  }),
  integrationsFailed: Count.meta({
    description: 'code hosts and ticketing systems that refuse us, and collectors and integrators that are offline',
  }),
  poolMinutes30d: Count.meta({
    description:
      'minutes of shared scanners on tasks that ended today (UTC) or on the previous 29 days, from the lease to the end',
  }),
  lastImportAt: Timestamp.nullable().meta({ description: 'when the newest report that was read arrived' }),
});
export type OrganizationSummary = z.infer<typeof OrganizationSummary>;

const DAYS = 30;

/**
 * Reads counters and never a record: one query for the counters of all collections, one each for the due days, the days
 * of pools and the last import.
 */
export async function summaryOf(table: Table): Promise<OrganizationSummary> {
  const at = nowMs();
  const today = dayOf(new Date(at).toISOString());
  const since = dayOf(new Date(at - (DAYS - 1) * DAY_MS).toISOString());
  const counted = [findings, vulnerabilities, assets, scanners, integrations, ticketingConnections] as const;
  const [facets, machines, due, pool, lastImport] = await Promise.all([
    Promise.all(counted.map((entity) => table.facets(entity))),
    Promise.all([collectors, integrators].map((entity) => table.facets(entity))),
    table.tallies(findings, 'due', { from: monthOf(today), to: FOREVER }),
    table.tallies(scannerTasks, 'pool', { from: tenDaysOf(since).row, to: tenDaysOf(today).row }),
    table.highestRank(importedReports, 'received'),
  ]);
  const [ofFindings = {}, ofVulnerabilities = {}, ofAssets = {}, ofScanners = {}, ...accounts] = facets;
  const sum = (amounts: readonly (number | undefined)[]) => amounts.reduce<number>((all, one = 0) => all + one, 0);
  return {
    assets: sum(Object.entries(ofAssets).map(([name, n]) => (name.startsWith('criticality:') ? n : 0))),
    findingsOpen: perValue(Severity.options, (severity) => ofFindings[`open:${severity}`] ?? 0),
    overdue: (ofFindings.dated ?? 0) - countFrom(due, today),
    kevOpen: ofVulnerabilities.kev ?? 0,
    scannersOffline: ofScanners['status:offline'] ?? 0,
    scannersOutdated: sum([ofScanners['version:outdated'], ofScanners['version:unsupported']]),
    integrationsFailed: sum([
      ...accounts.map((one) => one['status:failed']),
      ...machines.map((one) => one['status:offline']),
    ]),
    poolMinutes30d: Math.round(sumSince(pool, 's', since) / 60),
    lastImportAt: lastImport === undefined ? null : new Date(lastImport * 1000).toISOString(),
  };
}
