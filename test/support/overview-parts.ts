/** The operations that answer the parts of the overview. */
export const OVERVIEW_PARTS = {
  assets: 'getAssetsSummary',
  findings: 'getFindingsSummary',
  vulnerabilities: 'getVulnerabilitiesSummary',
  exposedCredentials: 'getExposedCredentialsSummary',
  compliance: 'getComplianceSummary',
  scanners: 'getScannersSummary',
  integrations: 'getIntegrationsSummary',
  ticketing: 'getTicketingSummary',
  siem: 'getSIEMSummary',
  soc: 'getSOCSummary',
} as const;
