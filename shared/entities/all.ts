import type { Entity, Stored } from '../table/entity.ts';
import { agents } from './agent.ts';
import { alerts } from './alert.ts';
import { alertComments } from './alert-comment.ts';
import { apexAppliances } from './apex-appliance.ts';
import { apexCampaignRuns, apexCampaigns } from './apex-campaign.ts';
import { apexTasks } from './apex-task.ts';
import { apiKeys } from './api-key.ts';
import { applications } from './application.ts';
import { applicationExclusions } from './application-exclusion.ts';
import { applicationRules } from './application-rule.ts';
import { assets } from './asset.ts';
import { assetTagRules } from './asset-tag-rule.ts';
import { branches } from './branch.ts';
import { branchFindings } from './branch-finding.ts';
import { breachRecords } from './breach-record.ts';
import { codeBranches } from './code-branch.ts';
import { collectors } from './collector.ts';
import { detectionRules } from './detection-rule.ts';
import { engagements } from './engagement.ts';
import { engagementParts } from './engagement-part.ts';
import { engagementRuns } from './engagement-run.ts';
import { engagementNotes, workEntries } from './engagement-work.ts';
import { exposedCredentials } from './exposed-credential.ts';
import { findings } from './finding.ts';
import { findingComments } from './finding-comment.ts';
import { identities } from './identity.ts';
import { importedReports } from './imported-report.ts';
import { incidents } from './incident.ts';
import { integrations } from './integration.ts';
import { integrators } from './integrator.ts';
import { linkTokens } from './link-token.ts';
import { mergeSuggestions } from './merge-suggestion.ts';
import { mergedAssets } from './merged-asset.ts';
import { mergedFindings } from './merged-finding.ts';
import { exposedServices, products } from './product.ts';
import { publicScannerGroups } from './public-scanner-group.ts';
import { remediations } from './remediation.ts';
import { repositories } from './repository.ts';
import { responseActions } from './response-action.ts';
import { retiredFindings } from './retired-finding.ts';
import { scanCredentials, secretReleases } from './scan-credential.ts';
import { scanners } from './scanner.ts';
import { scannerGroups } from './scanner-group.ts';
import { scannerTasks } from './scanner-task.ts';
import { serviceAccounts } from './service-account.ts';
import { siemSources } from './siem-source.ts';
import { suppressionRules } from './suppression-rule.ts';
import { tickets } from './ticket.ts';
import { ticketComments } from './ticket-comment.ts';
import { ticketRules } from './ticket-rule.ts';
import { ticketingConnections } from './ticketing-connection.ts';
import { vulnerabilities } from './vulnerability.ts';
import { advisoryGroups, fixGroups } from './vulnerability-group.ts';
import { zones } from './zone.ts';

/** Any collection, for work that needs the declaration and not the type of the records. */
export type AnyEntity = Entity<Stored, never>;

/**
 * Every collection of an organization by name, for work on all of them. A test compares the list with the declarations.
 */
export const entitiesByName: ReadonlyMap<string, AnyEntity> = new Map(
  [
    agents,
    alertComments,
    alerts,
    apexAppliances,
    apexCampaignRuns,
    apexCampaigns,
    apexTasks,
    apiKeys,
    applicationExclusions,
    applicationRules,
    applications,
    assets,
    assetTagRules,
    branches,
    branchFindings,
    breachRecords,
    codeBranches,
    collectors,
    detectionRules,
    engagementNotes,
    engagementParts,
    engagementRuns,
    engagements,
    exposedCredentials,
    exposedServices,
    findingComments,
    findings,
    identities,
    importedReports,
    incidents,
    integrations,
    integrators,
    linkTokens,
    mergedAssets,
    mergedFindings,
    mergeSuggestions,
    products,
    publicScannerGroups,
    remediations,
    repositories,
    responseActions,
    retiredFindings,
    scanCredentials,
    scannerGroups,
    scannerTasks,
    scanners,
    secretReleases,
    serviceAccounts,
    siemSources,
    suppressionRules,
    ticketComments,
    ticketRules,
    ticketingConnections,
    tickets,
    vulnerabilities,
    advisoryGroups,
    fixGroups,
    workEntries,
    zones,
  ].map((entity) => [entity.name, entity as unknown as AnyEntity]),
);
