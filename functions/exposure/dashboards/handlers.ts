import { complianceSummary } from '#shared/exposure/compliance/summary.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { FINDING_STATUSES } from '#shared/findings/finding/finding-status.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { VULNERABILITY_STATUSES, vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { figuresAsOf, isAsOf } from './as-of.ts';
import { assetsSummary } from './assets-summary.ts';
import { exposedCredentialsSummary } from './exposed-credentials-summary.ts';
import { findingsTrend } from './findings-trend.ts';
import { infrastructureOverview } from './infrastructure.ts';
import { integrationsSummary } from './integrations-summary.ts';
import { meanTimeOverview, meanTimes } from './mean-time-overview.ts';
import type { dashboardRoutes } from './routes.ts';
import { scannersSummary } from './scanners-summary.ts';
import { siemSummary } from './siem-summary.ts';
import { socSummary } from './soc-summary.ts';
import { findingsSummary, vulnerabilitiesSummary } from './summaries.ts';
import { systemOverview } from './system-overview.ts';
import { ticketingSummary } from './ticketing-summary.ts';
import { topFindings } from './top-findings.ts';

const COUNTED = {
  findings: { entity: findings, statuses: FINDING_STATUSES },
  vulnerabilities: { entity: vulnerabilities, statuses: VULNERABILITY_STATUSES },
};

export const dashboardHandlers: Handlers<typeof dashboardRoutes> = {
  getSystemOverview: ({ table }) => systemOverview(table),
  getFindingsSummary: ({ table, query }) =>
    isAsOf(query) ? figuresAsOf(table, COUNTED.findings, query) : findingsSummary(table),
  getVulnerabilitiesSummary: ({ table, query }) =>
    isAsOf(query) ? figuresAsOf(table, COUNTED.vulnerabilities, query) : vulnerabilitiesSummary(table),
  getScannersSummary: ({ table }) => scannersSummary(table),
  getIntegrationsSummary: ({ table }) => integrationsSummary(table),
  getComplianceSummary: ({ table }) => complianceSummary(table),
  getAssetsSummary: ({ table }) => assetsSummary(table),
  getInfrastructureOverview: ({ table }) => infrastructureOverview(table),
  getFindingsTrend: ({ table, query }) => findingsTrend(table, query),
  getTopFindings: ({ table, connections }) => topFindings(connections, table),
  getExposedCredentialsSummary: ({ table }) => exposedCredentialsSummary(table),
  getSOCSummary: ({ table }) => socSummary(table),
  getSIEMSummary: ({ table }) => siemSummary(table),
  getTicketingSummary: ({ table }) => ticketingSummary(table),
  getMeanTimeOverview: ({ table, query }) => meanTimeOverview(table, query),
  getFindingsMeanTimes: ({ table, query }) => meanTimes(table, 'findings', query),
  getVulnerabilitiesMeanTimes: ({ table, query }) => meanTimes(table, 'vulnerabilities', query),
  getAlertsMeanTimes: ({ table, query }) => meanTimes(table, 'alerts', query),
  getIncidentsMeanTimes: ({ table, query }) => meanTimes(table, 'incidents', query),
};
