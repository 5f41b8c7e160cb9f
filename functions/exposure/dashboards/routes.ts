import * as z from 'zod';
import { ComplianceSummary } from '#shared/exposure/compliance/standing.ts';
import { FindingListItem } from '#shared/findings/finding/finding.ts';
import { reads, readsScans } from '#shared/platform/auth/access.ts';
import { Id } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
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

export const dashboardRoutes = defineRoutes({
  getSystemOverview: {
    method: 'GET',
    path: '/api/v1/dashboards/overview/system',
    operation: 'HandleSystemOverview',
    summary: 'Show all parts of the system at once',
    description:
      'Each part is the answer of its own operation below this path, so that one call equals the eleven. An API key needs ' +
      '`reports:read`, because the parts have scopes of their own.',
    access: reads('reports:read'),
    response: SystemOverview,
  },
  getFindingsSummary: {
    method: 'GET',
    path: '/api/v1/dashboards/overview/system/findings',
    operation: 'HandleSystemFindings',
    summary: 'Count findings by status and severity, with the changes of seven days',
    description:
      'Counters that every write keeps, so the numbers are exact at any moment and reading them costs the same ' +
      'however many findings there are. Days are UTC. A finding is `overdue` from the day after the day of its ' +
      '`dueAt`. The seven days are today and the six days before it.',
    access: reads('findings:read'),
    response: FindingsSummary,
  },
  getVulnerabilitiesSummary: {
    method: 'GET',
    path: '/api/v1/dashboards/overview/system/vulnerabilities',
    operation: 'HandleSystemVulnerabilities',
    summary: 'Count vulnerabilities by status and severity, with the changes of seven days',
    description: 'As for findings, over vulnerabilities. They follow their findings within minutes.',
    access: reads('vulnerabilities:read'),
    response: VulnerabilitiesSummary,
  },
  getScannersSummary: {
    method: 'GET',
    path: '/api/v1/dashboards/overview/system/scanners',
    operation: 'HandleSystemScanners',
    summary: 'Count scanners, and the tasks that are done and waiting',
    description:
      'Exact counters, as they stand at the moment. A scanner that went silent becomes `offline` here when the ' +
      'sweeper notices, within minutes.',
    access: readsScans,
    response: ScannersSummary,
  },
  getIntegrationsSummary: {
    method: 'GET',
    path: '/api/v1/dashboards/overview/system/integrations',
    operation: 'HandleSystemIntegrations',
    summary: 'Count what is connected, by kind and state, with what does not work',
    description:
      'Exact counters. Collectors and integrators are `connected` while they are online, `failed` when they went silent, and ' +
      '`degraded` before their first contact. Kinds that cannot be connected yet are zero, and `billingprocessor` is, because its ' +
      "account is the provider's.",
    access: { role: 'viewer' },
    response: IntegrationsSummary,
  },
  getComplianceSummary: {
    method: 'GET',
    path: '/api/v1/dashboards/overview/system/compliance',
    operation: 'HandleSystemCompliance',
    summary: 'Count the controls of frameworks that are met, failed and not assessed',
    description:
      'Of all assets, from counters that every write keeps. A control passes only where completed scans of the last 90 days looked for ' +
      'its weaknesses: `GET /api/v1/compliance/controls` says who looked.',
    access: reads('findings:read'),
    response: ComplianceSummary,
  },
  getTicketingSummary: {
    method: 'GET',
    path: '/api/v1/dashboards/overview/system/ticketing',
    operation: 'ticketing system summary',
    summary: 'Count tickets by status and priority, with the changes of seven days',
    description:
      'Exact counters, as they stand at the moment. Without a connection `enabled` is false and all is zero. Days are UTC.',
    access: reads('jira:read'),
    response: TicketingSummary,
  },
  getAssetsSummary: {
    method: 'GET',
    path: '/api/v1/dashboards/overview/system/assets',
    operation: 'HandleSystemAssets',
    summary: 'Count assets by type, criticality, exposure and last sighting',
    description: 'Exact counters, as they stand at the moment. Days are UTC.',
    access: reads('assets:read'),
    response: AssetsSummary,
  },
  getInfrastructureOverview: {
    method: 'GET',
    path: '/api/v1/dashboards/overview/infrastructure',
    operation: 'HandleInfrastructureStats',
    summary: 'Show assets, and the most widespread systems, products and services',
    description:
      'From counters. `assets` is the answer of `overview/system/assets`. `exposedServices` counts the services (name and port) that ' +
      'answer on an asset with `internetExposed`. Products and services follow their assets within two minutes.',
    access: reads('assets:read'),
    response: InfrastructureOverview,
  },
  getFindingsTrend: {
    method: 'GET',
    path: '/api/v1/findings/trend',
    summary: 'Show what got worse or better between two days, by severity',
    description:
      'Opened, reopened, fixed and net of the organization, of an asset, or of the assets of a tag or an application, from counters. Days are UTC; at most 366 of ' +
      'them. A finding counts under the severity that it has now. What was called false or accepted was not fixed and ' +
      'stays in `net`.',
    access: reads('findings:read'),
    query: z.object({
      from: Day.optional().meta({ description: 'the first day; 29 days before `to` if absent' }),
      to: Day.optional().meta({ description: 'the last day; today if absent' }),
      assetId: Id.optional(),
      assetTag: z.string().min(1).max(120).optional().meta({
        description: 'of the assets that have the tag now: up to some hundred of them in a month',
      }),
      applicationId: Id.optional().meta({ description: 'of the assets of the application now, as many' }),
    }),
    response: FindingsTrend,
  },
  getTopFindings: {
    method: 'GET',
    path: '/api/v1/dashboards/overview/top_findings',
    operation: 'HandleTopFindings',
    summary: 'List the five open findings of highest priority',
    description:
      'By `priority`, the highest first; of equals the newest. More of them: `GET /api/v1/findings?sort=priority`.',
    access: reads('findings:read'),
    response: z.array(FindingListItem),
  },
  ...meanTimeRoutes,
  getExposedCredentialsSummary: {
    method: 'GET',
    path: '/api/v1/dashboards/overview/system/exposed_credentials',
    operation: 'HandleSystemExposedCredentials',
    summary: 'Count exposed credentials by status, kind and source',
    description:
      'Exact counters of the records, which follow findings and breach records within seconds after a report.',
    access: reads('findings:read'),
    response: ExposedCredentialsSummary,
  },
  getSOCSummary: {
    method: 'GET',
    path: '/api/v1/dashboards/overview/system/soc',
    operation: 'HandleSystemSOC',
    summary: 'Count alerts, incidents and response actions by status and severity',
    description:
      'Exact counters, as they stand at the moment. Open alerts are new, acknowledged or in progress; open incidents are not closed.',
    access: reads('soc:read'),
    response: SOCSummary,
  },
  getSIEMSummary: {
    method: 'GET',
    path: '/api/v1/dashboards/overview/system/siem',
    operation: 'HandleSystemSIEM',
    summary: 'Count collectors, sources, events and detections',
    description:
      'Exact counters, as they stand at the moment; a collector or source that went silent is counted so within minutes. `GET /api/v1/siem/sources` has the sources.',
    access: reads('soc:read'),
    response: SIEMSummary,
  },
});
