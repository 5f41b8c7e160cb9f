import type { components, paths } from '../../dist/openapi.d.ts';

/** The records of the interface, by the names of the API reference. The build of the types makes them from the document. */
type Records = components['schemas'];

export type Asset = Records['Asset'];
export type Finding = Records['Finding'];
export type FindingItem = Records['FindingListItem'];
export type FilterField = Records['FilterField'];
export type FeedEntity = NonNullable<
  NonNullable<paths['/api/v1/changes']['get']['parameters']['query']>['entity']
>[number];
export type SavedFilter = Records['SavedFilter'];
export type Overview = Records['SystemOverview'];
export type Trend = Records['FindingsTrend'];
export type Task = Records['Task'];
export type Vulnerability = Records['Vulnerability'];
export type VulnerabilityItem = Records['VulnerabilityListItem'];
export type Severity = FindingItem['severity'];
export type FindingStatus = FindingItem['status'];
export type ImportedReport = Records['ImportedReportItem'];
export type AssetExposure = Records['AssetExposure'];
export type AdvisoryGroup = Records['VulnerabilitiesByAdvisory'];
export type FixGroup = Records['VulnerabilitiesByFix'];
export type Alert = Records['Alert'];
export type AlertItem = Records['AlertListItem'];
export type Incident = Records['Incident'];
export type ResponseAction = Records['ResponseAction'];
export type TimelineEntry = Records['TimelineEntry'];
export type DetectionRule = Records['DetectionRule'];
export type DetectionRuleItem = Records['DetectionRuleListItem'];
export type DetectionTest = Records['DetectionTest'];
export type DetectionTestResult = Records['DetectionTestResult'];
export type ExposedCredential = Records['ExposedCredential'];
export type Remediation = Records['Remediation'];
export type User = Records['User'];
export type Session = Records['Session'];
export type Role = Records['Role'];
export type ApiKey = Records['ApiKey'];
export type ServiceAccount = Records['ServiceAccount'];
export type LinkToken = Records['LinkToken'];
export type AuditEntry = Records['AuditEntry'];
export type Feed = Records['AdvisoryFeed'];
export type Integration = Records['Integration'];
export type TicketingConnection = Records['TicketingConnection'];
export type Billing = Records['Billing'];
export type Application = Records['Application'];
export type Engagement = Records['Engagement'];
export type EngagementItem = Records['EngagementListItem'];
export type Scanner = Records['Scanner'];
export type ScannerTask = Records['ScannerTask'];
export type ScannedBranch = Records['ScannedBranch'];
