import { complianceSummary } from '#shared/exposure/compliance/summary.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assetsSummary } from './assets-summary.ts';
import { exposedCredentialsSummary } from './exposed-credentials-summary.ts';
import { integrationsSummary } from './integrations-summary.ts';
import { scannersSummary } from './scanners-summary.ts';
import { siemSummary } from './siem-summary.ts';
import { socSummary } from './soc-summary.ts';
import { findingsSummary, vulnerabilitiesSummary } from './summaries.ts';
import type { SystemOverview } from './system-record.ts';
import { ticketingSummary } from './ticketing-summary.ts';

/** All parts; their small reads run at the same time. */
export async function systemOverview(table: Table): Promise<SystemOverview> {
  const [assets, findings, vulnerabilities, exposedCredentials, compliance, ...others] = await Promise.all([
    assetsSummary(table),
    findingsSummary(table),
    vulnerabilitiesSummary(table),
    exposedCredentialsSummary(table),
    complianceSummary(table),
    scannersSummary(table),
    integrationsSummary(table),
    ticketingSummary(table),
    siemSummary(table),
    socSummary(table),
  ]);
  const [scanners, integrations, ticketing, siem, soc] = others;
  const exposure = { assets, findings, vulnerabilities, exposedCredentials, compliance };
  return { asOf: now(), ...exposure, scanners, integrations, ticketing, siem, soc };
}
