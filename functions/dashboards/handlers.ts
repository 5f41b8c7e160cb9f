import type { Handlers } from '#shared/http/route.ts';
import { findingsSummary } from './findings-summary.ts';
import { findingsTrend } from './findings-trend.ts';
import { findingMeanTimes } from './mean-times.ts';
import type { dashboardRoutes } from './routes.ts';
import { scannersSummary } from './scanners-summary.ts';
import { topFindings } from './top-findings.ts';

export const dashboardHandlers: Handlers<typeof dashboardRoutes> = {
  getFindingsSummary: ({ table }) => findingsSummary(table),
  getScannersSummary: ({ table }) => scannersSummary(table),
  getFindingsTrend: ({ table, query }) => findingsTrend(table, query),
  getTopFindings: ({ table, connections }) => topFindings(connections, table),
  getFindingsMeanTimes: ({ table }) => findingMeanTimes(table),
};
