const NO_DAY = 'lists do not find the day';
const EACH_TIME = 'counts each repair of a record';

/** The reasons of figures in the mean times of some kinds of records. */
const ofMeanTimes = (kinds: readonly string[], reasons: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    kinds.flatMap((kind) =>
      Object.entries(reasons).map(([figure, reason]) => [`get${kind}MeanTimes ${figure}`, reason] as const),
    ),
  );

/** Figures of answers with links that no list shows, and the reason. */
export const UNLISTED: Record<string, string> = {
  'listVulnerabilitiesByAdvisory data.*.priority': 'points',
  'listVulnerabilitiesByAdvisory data.*.open': 'of an advisory without CVE, which may be an alias of a CVE too',
  'listVulnerabilitiesByAdvisory data.*.openBySeverity': 'of an advisory without CVE',
  'listVulnerabilitiesByAdvisory data.*.epss': 'a probability',
  'listVulnerabilitiesByAdvisory data.*.assets': 'assets are not found by their vulnerabilities',
  'listVulnerabilitiesByFix data.*.priority': 'points',
  'listVulnerabilitiesByFix data.*.assets': 'assets are not found by their vulnerabilities',
  'getFindingsSummary held': 'imports are held, not findings: findings/imports?held=true has them',
  'getScannersSummary tasks': 'computed from the fleet (unassignable), by the hour (failed24h)',
  'getIntegrationsSummary total': 'four collections together',
  'getIntegrationsSummary byStatus': 'four collections together',
  'getIntegrationsSummary byKind': 'kinds that cannot be connected',
  'getComplianceSummary change30d': 'a difference',
  'getComplianceSummary frameworks.*.score': 'a percentage',
  'getInfrastructureOverview products': 'an asset has up to 200 products, which are no values of the index',
  'getInfrastructureOverview services': 'the ports of assets are no values of the index',
  'getFindingsTrend reopened': 'counts each return of a finding',
  'getFindingsTrend fixed': 'counts each repair of a finding',
  'getFindingsTrend net': 'a difference',
  'getFindingsTrend days.*.reopened': 'counts each return of a finding',
  'getFindingsTrend days.*.fixed': 'counts each repair of a finding',
  'getFindingsTrend days.*.net': 'a difference',
  'getSOCSummary alerts.opened24h': 'by the hour: lists find days',
  'getSOCSummary responseActions.failed24h': 'by the hour: lists find days',
  'getSIEMSummary events24h': 'events are no records',
  'getSIEMSummary bytes24h': 'bytes',
  'getSIEMSummary detections24h': 'by the hour: lists find days',
  'getSIEMSummary retentionDays': 'days',
  'getRiskSummary score': 'points',
  'getTeamSummary members': 'accounts of two kinds, which the team names',
  'listTeamSummaries data.*.members': 'accounts of two kinds, which the team names',
  'getRiskSummary change30d': 'a difference',
  'getRiskSummary trend': 'points',
  'getRiskSummary factors': 'points',
  'listFrameworks *.score': 'a percentage',
  'getFramework score': 'a percentage',
  ...ofMeanTimes(['Findings', 'Vulnerabilities', 'Alerts', 'Incidents'], {
    timeToAcknowledge: NO_DAY,
    change: 'a ratio',
  }),
  ...ofMeanTimes(['Findings', 'Alerts', 'Incidents'], { timeToRemediate: EACH_TIME, 'trend.*.count': EACH_TIME }),
  ...ofMeanTimes(['Incidents'], { timeToContain: NO_DAY }),
};
