const DASHBOARD = { roundTrips: 2, readUnits: 4 };
const TOP = { roundTrips: 2, readUnits: 6 };
/** The budget of dashboards that read several areas. */
const SYSTEM = { roundTrips: 2, readUnits: 16 };
/** Counters, and two orders that show ten records each. */
const INFRASTRUCTURE = { roundTrips: 2, readUnits: 16 };

/** All dashboards of counters: path, operation, and what its read may take whatever the number of records. */
export const DASHBOARDS = [
  ['overview/system', 'getSystemOverview', SYSTEM],
  ['overview/system/findings', 'getFindingsSummary', DASHBOARD],
  ['overview/system/vulnerabilities', 'getVulnerabilitiesSummary', DASHBOARD],
  ['overview/system/assets', 'getAssetsSummary', DASHBOARD],
  ['overview/system/scanners', 'getScannersSummary', DASHBOARD],
  ['overview/system/integrations', 'getIntegrationsSummary', DASHBOARD],
  ['overview/system/exposed_credentials', 'getExposedCredentialsSummary', DASHBOARD],
  ['overview/system/compliance', 'getComplianceSummary', DASHBOARD],
  ['overview/system/ticketing', 'getTicketingSummary', DASHBOARD],
  ['overview/system/siem', 'getSIEMSummary', DASHBOARD],
  ['overview/system/soc', 'getSOCSummary', DASHBOARD],
  ['overview/infrastructure', 'getInfrastructureOverview', INFRASTRUCTURE],
  ['findings/trend', 'getFindingsTrend', DASHBOARD],
  ['overview/top_findings', 'getTopFindings', TOP],
  ['meantime', 'getMeanTimeOverview', SYSTEM],
  ['meantime/findings', 'getFindingsMeanTimes', DASHBOARD],
  ['meantime/vulnerabilities', 'getVulnerabilitiesMeanTimes', DASHBOARD],
  ['meantime/soc/alerts', 'getAlertsMeanTimes', DASHBOARD],
  ['meantime/soc/incidents', 'getIncidentsMeanTimes', DASHBOARD],
] as const;
