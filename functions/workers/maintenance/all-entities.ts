import { apexAppliances } from '#shared/apex/apex-appliance.ts';
import { apexCampaignRuns, apexCampaigns } from '#shared/apex/apex-campaign.ts';
import { apexTasks } from '#shared/apex/apex-task.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { mergedAssets } from '#shared/assets/asset/merged-asset.ts';
import { identities } from '#shared/assets/identity/identity.ts';
import { mergeSuggestions } from '#shared/assets/identity/merge-suggestion.ts';
import { exposedServices, products } from '#shared/assets/inventory/product.ts';
import { zones } from '#shared/assets/zones/zone.ts';
import { integrations } from '#shared/code/integrations/integration.ts';
import { trustedPublishers } from '#shared/code/integrations/trusted-publisher.ts';
import { codeBranches } from '#shared/code/repositories/code-branch.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import { apiKeys } from '#shared/credentials/api-key.ts';
import { linkTokens } from '#shared/credentials/link-token.ts';
import { roles } from '#shared/credentials/role.ts';
import { serviceAccounts } from '#shared/credentials/service-account.ts';
import { supportGrants } from '#shared/credentials/support-grant.ts';
import { webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { applicationExclusions } from '#shared/exposure/asset-rules/application-exclusion.ts';
import { applicationRules } from '#shared/exposure/asset-rules/application-rule.ts';
import { assetTagRules } from '#shared/exposure/asset-rules/asset-tag-rule.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { findingComments } from '#shared/findings/finding/finding-comment.ts';
import { mergedFindings } from '#shared/findings/finding/merged-finding.ts';
import { retiredFindings } from '#shared/findings/finding/retired-finding.ts';
import { suppressionRules } from '#shared/findings/suppression/suppression-rule.ts';
import { remediations } from '#shared/findings/triage/remediation.ts';
import { importedReports } from '#shared/ingest/imported-report.ts';
import { subscriptions } from '#shared/notifications/subscription.ts';
import { approvalRequests } from '#shared/people/approval-request.ts';
import { identityProviders } from '#shared/people/identity-provider.ts';
import { scimGroups } from '#shared/people/scim-group.ts';
import { teams } from '#shared/people/team.ts';
import { users } from '#shared/people/user.ts';
import { savedFilters } from '#shared/platform/filter/saved-filter.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import { reports } from '#shared/reporting/report.ts';
import { reportSchedules } from '#shared/reporting/report-schedule.ts';
import { reportTemplates } from '#shared/reporting/report-template.ts';
import { agents } from '#shared/scanning/agents/agent.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { engagementParts } from '#shared/scanning/engagements/engagement-part.ts';
import { engagementRuns } from '#shared/scanning/engagements/engagement-run.ts';
import { engagementNotes, workEntries } from '#shared/scanning/engagements/engagement-work.ts';
import { scanCredentials, secretReleases } from '#shared/scanning/scan-credentials/scan-credential.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { publicScannerGroups } from '#shared/scanning/scanners/public-scanner-group.ts';
import { scanners } from '#shared/scanning/scanners/scanner.ts';
import { scannerGroups } from '#shared/scanning/scanners/scanner-group.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { alertComments } from '#shared/soc/alerts/alert-comment.ts';
import { detectionRules } from '#shared/soc/detection/detection-rule.ts';
import { incidents } from '#shared/soc/incidents/incident.ts';
import { integrators } from '#shared/soc/incidents/integrator.ts';
import { responseActions } from '#shared/soc/incidents/response-action.ts';
import { collectors } from '#shared/soc/siem/collector.ts';
import { siemSources } from '#shared/soc/siem/siem-source.ts';
import { tickets } from '#shared/ticketing/ticket.ts';
import { ticketComments } from '#shared/ticketing/ticket-comment.ts';
import { ticketRules } from '#shared/ticketing/ticket-rule.ts';
import { ticketingConnections } from '#shared/ticketing/ticketing-connection.ts';
import { breachRecords } from '#shared/vulnerabilities/exposed-credentials/breach-record.ts';
import { exposedCredentials } from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { advisoryGroups, fixGroups } from '#shared/vulnerabilities/vulnerability/vulnerability-group.ts';

/** Any collection, for work that needs the declaration and not the type of the records. */
export type AnyEntity = Entity<Stored, never>;

/**
 * Every collection of an organization by name, for work on all collections. A test compares the list with the
 * declarations.
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
    approvalRequests,
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
    identityProviders,
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
    roles,
    savedFilters,
    scanCredentials,
    scannerGroups,
    scannerTasks,
    scanners,
    secretReleases,
    serviceAccounts,
    teams,
    users,
    scimGroups,
    siemSources,
    supportGrants,
    trustedPublishers,
    suppressionRules,
    ticketComments,
    ticketRules,
    ticketingConnections,
    tickets,
    vulnerabilities,
    webhookEndpoints,
    subscriptions,
    advisoryGroups,
    fixGroups,
    reports,
    reportSchedules,
    reportTemplates,
    workEntries,
    zones,
  ].map((entity) => [entity.name, entity as unknown as AnyEntity]),
);
