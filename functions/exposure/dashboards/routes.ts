import * as z from 'zod';
import { ComplianceSummary } from '#shared/exposure/compliance/current.ts';
import { FindingListItem } from '#shared/findings/finding/finding.ts';
import { presentOnly } from '#shared/findings/view/present-only.ts';
import { reads, readsScans } from '#shared/platform/auth/access.ts';
import { Id } from '#shared/platform/http/records.ts';
import { defineRoutes, get } from '#shared/platform/http/route.ts';
import { meanTimeRoutes } from './mean-time-routes.ts';
import {
  AssetsSummary,
  ExposedCredentialsSummary,
  FindingsSummary,
  FindingsTrend,
  InfrastructureOverview,
  IntegrationsSummary,
  ScannersSummary,
  SIEMSummary,
  SOCSummary,
  VulnerabilitiesSummary,
} from './records.ts';
import { SystemOverview } from './system-record.ts';
import { TicketingSummary } from './ticketing-record.ts';

const Day = z.iso.date('must be a day such as 2026-01-31');

const ofADay = {
  asOf: Day.optional().meta({ description: 'the state at the end of this day (UTC); the present day: now' }),
  from: Day.optional().meta({
    description:
      'also list the state of each day or month from here to `asOf` (`history`); with `by` alone 30 days or 12 months',
  }),
  by: z.enum(['day', 'month']).optional().meta({ description: '`day` reaches back 400 days, `month` ten years' }),
  applicationId: Id.optional().meta({ description: 'only the assets of this application' }),
  assetTag: z.string().min(1).max(120).optional().meta({ description: 'only assets with this tag' }),
};

const OF_A_DAY =
  'With `asOf`, `from`, `by`, `applicationId` or `assetTag` the answer has the totals by status and severity at the end of the day, ' +
  'each day of the last 400 and each end of a month of ten years; the other figures and the links are left out. `history` lists the ' +
  'same for days or months: later changes and deletions of records do not change it.';

export const dashboardRoutes = defineRoutes({
  getSystemOverview: get('/api/v1/dashboards/overview/system', {
    operation: 'HandleSystemOverview',
    summary: 'Show all parts of the system dashboard',
    description:
      'Each part is the answer of an operation below this path, so one request replaces eleven. An API key needs `reports:read`, ' +
      'because each part has its own API scope.',
    access: reads('reports:read'),
    instead: presentOnly,
    response: SystemOverview,
  }),
  getFindingsSummary: get('/api/v1/dashboards/overview/system/findings', {
    operation: 'HandleSystemFindings',
    summary: 'Count findings by status and severity, with the changes of seven days',
    description:
      'The numbers come from counters that every write updates, so they are always exact and cost the same for any number of ' +
      'findings. Days are UTC. A finding is `overdue` from the day after its `dueAt`. The seven days are today and the previous ' +
      'six days. Two tools that report one problem make two findings: report to a board the vulnerabilities, which count the problem once. ' +
      OF_A_DAY,
    access: reads('findings:read'),
    inPart: 'seen',
    query: z.object(ofADay),
    response: FindingsSummary,
  }),
  getVulnerabilitiesSummary: get('/api/v1/dashboards/overview/system/vulnerabilities', {
    operation: 'HandleSystemVulnerabilities',
    summary: 'Count vulnerabilities by status and severity, with the changes of seven days',
    description:
      'The numbers have the same meaning as for findings, and are the numbers for a board: a vulnerability is one advisory on one ' +
      'component of one asset, with the highest severity of its open findings, whatever number of tools report it. Findings without ' +
      'an advisory (code, secrets, configuration) are in no vulnerability. Vulnerabilities are updated within minutes after their ' +
      `findings. ${OF_A_DAY}`,
    access: reads('vulnerabilities:read'),
    inPart: 'seen',
    query: z.object(ofADay),
    response: VulnerabilitiesSummary,
  }),
  getScannersSummary: get('/api/v1/dashboards/overview/system/scanners', {
    operation: 'HandleSystemScanners',
    summary: 'Count scanners, and done and waiting tasks',
    description: 'The counters are exact and current. A silent scanner becomes `offline` here within minutes.',
    access: readsScans,
    instead: presentOnly,
    response: ScannersSummary,
  }),
  getIntegrationsSummary: get('/api/v1/dashboards/overview/system/integrations', {
    operation: 'HandleSystemIntegrations',
    summary: 'Count integrations by kind and state, with their failures',
    description:
      'The counters are exact. Collectors and integrators are `connected` while they are online, `failed` when they are silent, ' +
      'and `degraded` before their first contact. Kinds that cannot be connected yet are zero. `billingprocessor` is zero too, ' +
      'because its account belongs to the provider.',
    access: { role: 'viewer' },
    instead: presentOnly,
    response: IntegrationsSummary,
  }),
  getComplianceSummary: get('/api/v1/dashboards/overview/system/compliance', {
    operation: 'HandleSystemCompliance',
    summary: 'Count the controls of frameworks that passed, failed and are not assessed',
    description:
      'The numbers cover all assets and come from counters that every write updates. A control passes only if completed scans of ' +
      'the last 90 days looked for its weaknesses: `GET /api/v1/compliance/controls` names the tools. With a role for one zone or one ' +
      'application the numbers are those of the zone or application, without `change30d`.',
    access: reads('findings:read'),
    inPart: 'seen',
    instead: presentOnly,
    response: ComplianceSummary,
  }),
  getTicketingSummary: get('/api/v1/dashboards/overview/system/ticketing', {
    operation: 'ticketing system summary',
    summary: 'Count tickets by status and priority, with the changes of seven days',
    description:
      'The counters are exact and current. Without a connection `enabled` is false and all numbers are zero. Days are UTC.',
    access: reads('jira:read'),
    instead: presentOnly,
    response: TicketingSummary,
  }),
  getAssetsSummary: get('/api/v1/dashboards/overview/system/assets', {
    operation: 'HandleSystemAssets',
    summary: 'Count assets by type, criticality, exposure and last sighting',
    description: 'The counters are exact and current. Days are UTC.',
    access: reads('assets:read'),
    instead: presentOnly,
    inPart: 'seen',
    response: AssetsSummary,
  }),
  getInfrastructureOverview: get('/api/v1/dashboards/overview/infrastructure', {
    operation: 'HandleInfrastructureStats',
    summary: 'Show assets, and the most widespread systems, products and services',
    description:
      'The numbers come from counters. `assets` is the answer of `overview/system/assets`. `exposedServices` counts the services ' +
      '(name and port) that answer on an asset with `internetExposed`. Products and services are updated within two minutes after ' +
      'their assets.',
    access: reads('assets:read'),
    instead: presentOnly,
    response: InfrastructureOverview,
  }),
  getFindingsTrend: get('/api/v1/findings/trend', {
    summary: 'Show the trend of findings between two days, by severity',
    description:
      'The answer has the opened, reopened, fixed and net numbers of the organization, an asset, a tag or an application, from ' +
      'counters. Days are UTC; at most 366 days. A finding counts under its current severity. False positives and accepted risks ' +
      'are not fixed and stay in `net`.',
    access: reads('findings:read'),
    instead: presentOnly,
    inPart: 'seen',
    query: z.object({
      from: Day.optional().meta({ description: 'the first day; 29 days before `to` if absent' }),
      to: Day.optional().meta({ description: 'the last day; today if absent' }),
      assetId: Id.optional(),
      assetTag: z.string().min(1).max(120).optional().meta({
        description: 'the assets that currently have the tag, with at most some hundred assets in a month',
      }),
      applicationId: Id.optional().meta({ description: 'the current assets of the application, with the same limit' }),
    }),
    response: FindingsTrend,
  }),
  getTopFindings: get('/api/v1/dashboards/overview/top_findings', {
    operation: 'HandleTopFindings',
    summary: 'List the five open findings of highest priority',
    description:
      'The list is ordered by `priority`, highest first, then newest first. `GET /api/v1/findings?sort=priority` lists more findings.',
    access: reads('findings:read'),
    inPart: 'seen',
    instead: presentOnly,
    response: z.array(FindingListItem),
  }),
  ...meanTimeRoutes,
  getExposedCredentialsSummary: get('/api/v1/dashboards/overview/system/exposed_credentials', {
    operation: 'HandleSystemExposedCredentials',
    summary: 'Count exposed credentials by status, kind and source',
    description: 'The counters are exact. The records are updated within seconds after a report.',
    access: reads('findings:read'),
    instead: presentOnly,
    inPart: 'seen',
    response: ExposedCredentialsSummary,
  }),
  getSOCSummary: get('/api/v1/dashboards/overview/system/soc', {
    operation: 'HandleSystemSOC',
    summary: 'Count alerts, incidents and response actions by status and severity',
    description:
      'The counters are exact and current. Open alerts are new, acknowledged or in progress; open incidents are all incidents that ' +
      'are not closed. With a role for a part of the organization the response actions are 0.',
    access: reads('soc:read'),
    inPart: 'seen',
    instead: presentOnly,
    response: SOCSummary,
  }),
  getSIEMSummary: get('/api/v1/dashboards/overview/system/siem', {
    operation: 'HandleSystemSIEM',
    summary: 'Count collectors, sources, events and detections',
    description:
      'The counters are exact and current; a silent collector or source is counted as silent within minutes. `GET ' +
      '/api/v1/siem/sources` lists the sources.',
    access: reads('soc:read'),
    instead: presentOnly,
    response: SIEMSummary,
  }),
});
