import * as z from 'zod';
import { CRITICALITIES } from '#shared/assets/asset/asset.ts';
import { AssetsOfSystem } from '#shared/assets/asset/assets-of-system.ts';
import { ProductAggregation, ServiceAggregation } from '#shared/assets/inventory/aggregations.ts';
import { CODE_HOSTS, INTEGRATION_STATUSES } from '#shared/code/integrations/integration.ts';
import { FINDING_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { figureLinks } from '#shared/platform/http/figures.ts';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { AssetType } from '#shared/reports/report/asset-type.ts';
import { CREDENTIAL_KINDS, Severity } from '#shared/reports/report/report.ts';
import { MACHINE_STATUSES } from '#shared/scanning/machines/machine.ts';
import { ALERT_STATUSES, INCIDENT_STATUSES } from '#shared/soc/alerts/soc-status.ts';
import {
  CREDENTIAL_SOURCES,
  CREDENTIAL_STATUSES,
} from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { VULNERABILITY_STATUSES } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';

export const Count = z.int().nonnegative();

/** An object with every value of an enum, zeros included. */
export const counts = <const V extends string>(values: readonly V[]) => z.record(z.enum(values), Count);

/** The state at the end of days or months. */
const historyOf = <const S extends string>(statuses: readonly S[]) =>
  z
    .array(
      z.object({
        date: z.iso.date(),
        total: Count,
        open: Count,
        byStatus: counts(statuses),
        bySeverity: counts(Severity.options),
        openBySeverity: counts(Severity.options),
      }),
    )
    .optional()
    .meta({
      description:
        'the state at the end of each day, or of the last day of each month, oldest first; days before the first that is counted ' +
        'are left out',
    });

export const FindingsSummary = objectNamed('FindingsSummary', {
  asOf: Timestamp,
  total: Count,
  open: Count.meta({ description: 'open or in progress' }),
  overdue: Count.meta({ description: 'open, and the day of dueAt (UTC) is over' }).optional(),
  byStatus: counts(FINDING_STATUSES),
  bySeverity: counts(Severity.options),
  openBySeverity: counts(Severity.options),
  opened7d: Count.meta({ description: 'first seen in the last seven days, today included' }).optional(),
  fixed7d: Count.meta({ description: 'findings fixed in these seven days' }).optional(),
  reopened7d: Count.meta({ description: 'findings that last returned in these seven days' }).optional(),
  held: Count.meta({
    description: 'findings whose closing waits for a person: `GET /api/v1/findings/imports?held=true`',
  }).optional(),
  history: historyOf(FINDING_STATUSES),
  ...figureLinks,
});
export type FindingsSummary = z.infer<typeof FindingsSummary>;

const { held: _held, ...counted } = FindingsSummary.shape;

export const VulnerabilitiesSummary = objectNamed('VulnerabilitiesSummary', {
  ...counted,
  byStatus: counts(VULNERABILITY_STATUSES),
  history: historyOf(VULNERABILITY_STATUSES),
  fixed7d: Count.meta({ description: 'vulnerabilities whose last finding was fixed in these seven days' }).optional(),
  reopened7d: Count.meta({ description: 'vulnerabilities that last returned in these seven days' }).optional(),
  kevOpen: Count.meta({ description: 'open, and known to be exploited (CISA KEV)' }).optional(),
  epssOver10PercentOpen: Count.meta({
    description: 'open, with a probability of exploitation of 10 % or more (FIRST EPSS)',
  }).optional(),
  acceptedRisk: Count.optional(),
  slaBreached: Count.meta({ description: 'overdue, or fixed after they were due' }).optional(),
});
export type VulnerabilitiesSummary = z.infer<typeof VulnerabilitiesSummary>;

export const AssetsSummary = objectNamed('AssetsSummary', {
  asOf: Timestamp,
  total: Count.meta({ description: 'assets without retired assets, as in all numbers here' }),
  byType: counts(AssetType.options),
  byCriticality: counts(CRITICALITIES),
  internetExposed: Count.meta({ description: 'known to be exposed' }),
  seen7d: Count.meta({ description: 'last seen in the last seven days, today included' }),
  stale30d: Count.meta({ description: 'last seen more than 30 days ago' }),
  unowned: Count,
  withoutApplication: Count,
  ...figureLinks,
});
export type AssetsSummary = z.infer<typeof AssetsSummary>;

export const InfrastructureOverview = objectNamed('InfrastructureOverview', {
  asOf: Timestamp,
  assets: AssetsSummary,
  operatingSystems: z.array(AssetsOfSystem).meta({ description: 'the ten most frequent' }),
  products: z.array(ProductAggregation).meta({ description: 'the ten on most assets' }),
  services: z.array(ServiceAggregation).meta({ description: 'the ten on most assets' }),
  exposedServices: Count,
  agents: z.object({ total: Count, online: Count }),
  unmanagedHosts: Count.meta({ description: 'hosts on which no agent reports' }),
  ...figureLinks,
});
export type InfrastructureOverview = z.infer<typeof InfrastructureOverview>;

export const FindingsTrend = objectNamed('FindingsTrend', {
  from: z.iso.date(),
  to: z.iso.date(),
  opened: counts(Severity.options).meta({ description: 'first seen in these days' }),
  reopened: counts(Severity.options).meta({ description: 'returned after a repair, each time' }),
  fixed: counts(Severity.options).meta({ description: 'repaired, each time' }),
  net: z.record(Severity, z.int()).meta({ description: 'opened and reopened less fixed: above 0 it got worse' }),
  days: z.array(
    z.object({ date: z.iso.date(), opened: Count, reopened: Count, fixed: Count, net: z.int(), ...figureLinks }).meta({
      description: 'all severities of a day',
    }),
  ),
  ...figureLinks,
});
export type FindingsTrend = z.infer<typeof FindingsTrend>;

export const ScannersSummary = objectNamed('ScannersSummary', {
  total: Count,
  byStatus: counts(MACHINE_STATUSES),
  byZone: z.record(z.string(), Count).meta({
    description: 'zones in use; the empty name is for scanners without a zone',
    example: { '': 2, 'plant-1': 1 },
  }),
  outdated: Count.meta({ description: 'their software is older than the current version, or no longer supported' }),
  tasks: z.object({
    pending: Count,
    running: Count,
    failed24h: Count.meta({ description: 'in the current hour and the previous 23 hours' }),
    unassignable: Count.meta({
      description: 'pending tasks for which no enabled scanner of their zone and group has their type',
    }),
  }),
  oldestPendingSeconds: Count.nullable().meta({ description: 'how long the oldest pending task waits' }),
  ...figureLinks,
});
export type ScannersSummary = z.infer<typeof ScannersSummary>;

/** The kinds of systems that an organization connects with the service. */
export const INTEGRATION_KINDS = [
  ...CODE_HOSTS,
  'ticketing',
  'billingprocessor',
  'identity_provider',
  'notification',
  'collector',
  'integrator',
] as const;

export const IntegrationsSummary = objectNamed('IntegrationsSummary', {
  asOf: Timestamp,
  total: Count,
  byKind: counts(INTEGRATION_KINDS),
  byStatus: counts(INTEGRATION_STATUSES),
  failing: z
    .array(
      z.object({
        id: Id,
        kind: z.enum(INTEGRATION_KINDS),
        name: z.string(),
        since: Timestamp,
        reason: z.string(),
      }),
    )
    .meta({ description: 'the five whose problem is newest' }),
  ...figureLinks,
});
export type IntegrationsSummary = z.infer<typeof IntegrationsSummary>;

export const ExposedCredentialsSummary = objectNamed('ExposedCredentialsSummary', {
  asOf: Timestamp,
  total: Count,
  byStatus: counts(CREDENTIAL_STATUSES),
  byKind: counts(CREDENTIAL_KINDS),
  bySource: counts(CREDENTIAL_SOURCES).meta({ description: 'a credential that both know counts in both' }),
  activeVerified: Count.meta({ description: 'active credentials whose last check succeeded in signing in' }),
  rotated30d: Count.meta({ description: 'rotated today (UTC) or on the previous 29 days' }),
  oldestActiveSeconds: z.int().nonnegative().nullable(),
  ...figureLinks,
});
export type ExposedCredentialsSummary = z.infer<typeof ExposedCredentialsSummary>;

export const SOCSummary = objectNamed('SOCSummary', {
  asOf: Timestamp,
  alerts: z.object({
    total: Count,
    byStatus: counts(ALERT_STATUSES),
    openBySeverity: counts(Severity.options),
    unassigned: Count.meta({ description: 'open alerts without an assignee' }),
    opened24h: Count.meta({ description: 'that arrived in the current hour and the previous 23 hours' }),
  }),
  incidents: z.object({
    total: Count,
    byStatus: counts(INCIDENT_STATUSES),
    openBySeverity: counts(Severity.options),
  }),
  responseActions: z.object({
    awaitingApproval: Count,
    running: Count.meta({ description: 'an integrator has them' }),
    failed24h: Count.meta({ description: 'in the current hour and the previous 23 hours' }),
  }),
  ...figureLinks,
});
export type SOCSummary = z.infer<typeof SOCSummary>;

export const SIEMSummary = objectNamed('SIEMSummary', {
  asOf: Timestamp,
  enabled: z.boolean().meta({ description: 'a collector is linked' }),
  collectors: z.object({ total: Count, online: Count }),
  sources: z.object({
    total: Count,
    active24h: Count.meta({ description: 'sources that sent events within 24 hours' }),
    silent24h: Count.meta({ description: 'sources that sent no events within 24 hours' }),
  }),
  events24h: Count.meta({
    description: 'by the time of the events, in the current hour (UTC) and the previous 23 hours',
  }),
  bytes24h: Count.meta({ description: 'the size of these events as received' }),
  detections24h: counts(Severity.options).meta({ description: 'alerts of the kind `siem` from these hours' }),
  lastEventAt: Timestamp.nullable(),
  retentionDays: z.int().positive().meta({
    description: 'days for which events are kept; a change of the entitlement takes effect within a minute',
  }),
  ...figureLinks,
});
export type SIEMSummary = z.infer<typeof SIEMSummary>;
