import type { components } from '../../dist/openapi.d.ts';

/** The records of the interface, by the names of the API reference. The build of the types makes them from the document. */
type Records = components['schemas'];

export type Asset = Records['Asset'];
export type Finding = Records['Finding'];
export type FindingItem = Records['FindingListItem'];
export type FindingsPreview = Records['FindingsPreview'];
export type FindingsUpdate = Records['FindingsUpdate'];
export type FilterField = Records['FilterField'];
export type Overview = Records['SystemOverview'];
export type Trend = Records['FindingsTrend'];
export type Task = Records['Task'];
export type Vulnerability = Records['Vulnerability'];
export type VulnerabilityItem = Records['VulnerabilityListItem'];
export type Severity = FindingItem['severity'];
export type FindingStatus = FindingItem['status'];
export type ImportedReport = Records['ImportedReportItem'];
