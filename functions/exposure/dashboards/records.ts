import * as z from 'zod';
import { CRITICALITIES } from '#shared/assets/asset/asset.ts';
import { ProductAggregation, ServiceAggregation } from '#shared/assets/inventory/aggregations.ts';
import { CODE_HOSTS, INTEGRATION_STATUSES } from '#shared/code/integrations/integration.ts';
import { FINDING_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { Id, Timestamp } from '#shared/platform/http/records.ts';
import { AssetType } from '#shared/reports/report/asset-type.ts';
import { CREDENTIAL_KINDS, OperatingSystem, Severity } from '#shared/reports/report/report.ts';
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

export const FindingsSummary = z
  .object({
    asOf: Timestamp,
    total: Count,
    open: Count.meta({ description: 'open or in progress' }),
    overdue: Count.meta({ description: 'open, and the day of dueAt (UTC) is over' }),
    byStatus: counts(FINDING_STATUSES),
    bySeverity: counts(Severity.options),
    openBySeverity: counts(Severity.options),
    opened7d: Count.meta({ description: 'first seen in the last seven days, today included' }),
    fixed7d: Count.meta({ description: 'repairs in the same days' }),
    reopened7d: Count.meta({ description: 'findings that last returned in the same days' }),
    held: Count.meta({
      description: 'findings whose closing waits for a person: `GET /api/v1/findings/imports?held=true`',
    }),
  })
  .meta({ id: 'FindingsSummary' });
export type FindingsSummary = z.infer<typeof FindingsSummary>;

const { held: _held, ...counted } = FindingsSummary.shape;

export const VulnerabilitiesSummary = z
  .object({
    ...counted,
    byStatus: counts(VULNERABILITY_STATUSES),
    fixed7d: Count.meta({ description: 'whose last finding was fixed in the same days' }),
    reopened7d: Count.meta({ description: 'that last returned in the same days' }),
    kevOpen: Count.meta({ description: 'open, and known to be exploited (CISA KEV)' }),
    epssOver10PercentOpen: Count.meta({ description: 'open, with a chance of exploitation above 10 % (FIRST EPSS)' }),
    acceptedRisk: Count,
    slaBreached: Count.meta({ description: 'overdue, or fixed after they were due' }),
  })
  .meta({ id: 'VulnerabilitiesSummary' });
export type VulnerabilitiesSummary = z.infer<typeof VulnerabilitiesSummary>;

export const AssetsSummary = z
  .object({
    asOf: Timestamp,
    total: Count.meta({ description: 'without retired ones, as are all numbers here' }),
    byType: counts(AssetType.options),
    byCriticality: counts(CRITICALITIES),
    internetExposed: Count.meta({ description: 'known to be exposed' }),
    seen7d: Count.meta({ description: 'last seen in the last seven days, today included' }),
    stale30d: Count.meta({ description: 'last seen more than 30 days ago' }),
    unowned: Count,
    withoutApplication: Count,
  })
  .meta({ id: 'AssetsSummary' });
export type AssetsSummary = z.infer<typeof AssetsSummary>;

export const InfrastructureOverview = z
  .object({
    asOf: Timestamp,
    assets: AssetsSummary,
    operatingSystems: z.array(OperatingSystem.extend({ assets: Count })).meta({ description: 'the ten most frequent' }),
    products: z.array(ProductAggregation).meta({ description: 'the ten on most assets' }),
    services: z.array(ServiceAggregation).meta({ description: 'the ten on most assets' }),
    exposedServices: Count,
    agents: z.object({ total: Count, online: Count }),
    unmanagedHosts: Count.meta({ description: 'hosts on which no agent reports' }),
  })
  .meta({ id: 'InfrastructureOverview' });
export type InfrastructureOverview = z.infer<typeof InfrastructureOverview>;

export const FindingsTrend = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    opened: counts(Severity.options).meta({ description: 'first seen in these days' }),
    reopened: counts(Severity.options).meta({ description: 'returned after a repair, each time' }),
    fixed: counts(Severity.options).meta({ description: 'repaired, each time' }),
    net: z.record(Severity, z.int()).meta({ description: 'opened and reopened less fixed: above 0 it got worse' }),
    days: z.array(
      z.object({ date: z.iso.date(), opened: Count, reopened: Count, fixed: Count, net: z.int() }).meta({
        description: 'all severities of a day',
      }),
    ),
  })
  .meta({ id: 'FindingsTrend' });
export type FindingsTrend = z.infer<typeof FindingsTrend>;

export const ScannersSummary = z
  .object({
    total: Count,
    byStatus: counts(MACHINE_STATUSES),
    byZone: z.record(z.string(), Count).meta({
      description: 'zones in use; the empty name stands for scanners without a zone',
      example: { '': 2, 'plant-1': 1 },
    }),
    outdated: Count.meta({ description: 'their software is older than the current version, or no longer supported' }),
    tasks: z.object({
      pending: Count,
      running: Count,
      failed24h: Count.meta({ description: 'in this hour and the 23 before it' }),
      unassignable: Count.meta({
        description: 'pending, and no enabled scanner of their zone and group does their type',
      }),
    }),
    oldestPendingSeconds: Count.nullable().meta({ description: 'how long the oldest pending task waits' }),
  })
  .meta({ id: 'ScannersSummary' });
export type ScannersSummary = z.infer<typeof ScannersSummary>;

/** The kinds of what an organization connects with the service. */
export const INTEGRATION_KINDS = [
  ...CODE_HOSTS,
  'ticketing',
  'billingprocessor',
  'identity_provider',
  'notification',
  'collector',
  'integrator',
] as const;

export const IntegrationsSummary = z
  .object({
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
  })
  .meta({ id: 'IntegrationsSummary' });
export type IntegrationsSummary = z.infer<typeof IntegrationsSummary>;

export const ExposedCredentialsSummary = z
  .object({
    asOf: Timestamp,
    total: Count,
    byStatus: counts(CREDENTIAL_STATUSES),
    byKind: counts(CREDENTIAL_KINDS),
    bySource: counts(CREDENTIAL_SOURCES).meta({ description: 'one that both know counts in both' }),
    activeVerified: Count.meta({ description: 'active, and let in at the last check' }),
    rotated30d: Count.meta({ description: 'rotated today (UTC) or on the 29 days before' }),
    oldestActiveSeconds: z.int().nonnegative().nullable(),
  })
  .meta({ id: 'ExposedCredentialsSummary' });
export type ExposedCredentialsSummary = z.infer<typeof ExposedCredentialsSummary>;

export const SOCSummary = z
  .object({
    asOf: Timestamp,
    alerts: z.object({
      total: Count,
      byStatus: counts(ALERT_STATUSES),
      openBySeverity: counts(Severity.options),
      unassigned: Count.meta({ description: 'open, and nobody has them' }),
      opened24h: Count.meta({ description: 'that came in this hour and the 23 before it' }),
    }),
    incidents: z.object({
      total: Count,
      byStatus: counts(INCIDENT_STATUSES),
      openBySeverity: counts(Severity.options),
    }),
    responseActions: z.object({
      awaitingApproval: Count,
      running: Count.meta({ description: 'an integrator has them' }),
      failed24h: Count.meta({ description: 'in this hour and the 23 before it' }),
    }),
  })
  .meta({ id: 'SOCSummary' });
export type SOCSummary = z.infer<typeof SOCSummary>;

export const SIEMSummary = z
  .object({
    asOf: Timestamp,
    enabled: z.boolean().meta({ description: 'a collector is linked' }),
    collectors: z.object({ total: Count, online: Count }),
    sources: z.object({
      total: Count,
      active24h: Count.meta({ description: 'that sent within 24 hours' }),
      silent24h: Count.meta({ description: 'that did not' }),
    }),
    events24h: Count.meta({ description: 'by their times, of this hour (UTC) and the 23 before' }),
    bytes24h: Count.meta({ description: 'of these events as they came' }),
    detections24h: counts(Severity.options).meta({ description: 'alerts of the kind `siem` that came in these hours' }),
    lastEventAt: Timestamp.nullable(),
    retentionDays: z
      .int()
      .positive()
      .meta({ description: 'for which events are kept, by the entitlement of a minute ago at most' }),
  })
  .meta({ id: 'SIEMSummary' });
export type SIEMSummary = z.infer<typeof SIEMSummary>;
