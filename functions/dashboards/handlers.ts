import { findings } from '#shared/entities/finding.ts';
import { vulnerabilities } from '#shared/entities/vulnerability.ts';
import type { Handlers } from '#shared/http/route.ts';
import { assetsSummary } from './assets-summary.ts';
import { findingsTrend } from './findings-trend.ts';
import { infrastructureOverview } from './infrastructure.ts';
import { meanTimesOf } from './mean-times.ts';
import type { dashboardRoutes } from './routes.ts';
import { scannersSummary } from './scanners-summary.ts';
import { findingsSummary, vulnerabilitiesSummary } from './summaries.ts';
import { topFindings } from './top-findings.ts';

export const dashboardHandlers: Handlers<typeof dashboardRoutes> = {
  getFindingsSummary: ({ table }) => findingsSummary(table),
  getVulnerabilitiesSummary: ({ table }) => vulnerabilitiesSummary(table),
  getScannersSummary: ({ table }) => scannersSummary(table),
  getAssetsSummary: ({ table }) => assetsSummary(table),
  getInfrastructureOverview: ({ table }) => infrastructureOverview(table),
  getFindingsTrend: ({ table, query }) => findingsTrend(table, query),
  getTopFindings: ({ table, connections }) => topFindings(connections, table),
  getFindingsMeanTimes: ({ table }) => meanTimesOf(table, findings),
  getVulnerabilitiesMeanTimes: ({ table }) => meanTimesOf(table, vulnerabilities),
};
