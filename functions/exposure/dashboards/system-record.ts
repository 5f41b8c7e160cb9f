import type * as z from 'zod';
import { ComplianceSummary } from '#shared/exposure/compliance/current.ts';
import { objectNamed, Timestamp } from '#shared/platform/http/records.ts';
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

export const SystemOverview = objectNamed('SystemOverview', {
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
});
export type SystemOverview = z.infer<typeof SystemOverview>;
