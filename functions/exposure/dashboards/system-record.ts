import * as z from 'zod';
import { ComplianceSummary } from '#shared/exposure/compliance/standing.ts';
import { Timestamp } from '#shared/platform/http/records.ts';
import {
  AssetsSummary,
  ExposedCredentialsSummary,
  FindingsSummary,
  IntegrationsSummary,
  ScannersSummary,
  SIEMSummary,
  SOCSummary,
  VulnerabilitiesSummary,
} from './records.ts';
import { TicketingSummary } from './ticketing-record.ts';

export const SystemOverview = z
  .object({
    asOf: Timestamp,
    assets: AssetsSummary,
    findings: FindingsSummary,
    vulnerabilities: VulnerabilitiesSummary,
    exposedCredentials: ExposedCredentialsSummary,
    compliance: ComplianceSummary,
    scanners: ScannersSummary,
    integrations: IntegrationsSummary,
    ticketing: TicketingSummary,
    siem: SIEMSummary,
    soc: SOCSummary,
  })
  .meta({ id: 'SystemOverview' });
export type SystemOverview = z.infer<typeof SystemOverview>;
