import { assets } from '#shared/assets/asset/asset.ts';
import { assetFilter } from '#shared/assets/asset/filter-fields.ts';
import { identityFilter } from '#shared/assets/identity/filter-fields.ts';
import { identities } from '#shared/assets/identity/identity.ts';
import { repositoryFilter } from '#shared/code/repositories/filter-fields.ts';
import { LISTED_STATUSES, repositories } from '#shared/code/repositories/repository.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { applicationFilter } from '#shared/exposure/applications/filter-fields.ts';
import { findingFilter } from '#shared/findings/finding/filter-fields.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { importFilter } from '#shared/ingest/filter-fields.ts';
import { importedReports } from '#shared/ingest/imported-report.ts';
import { admin, reads, readsScans } from '#shared/platform/auth/access.ts';
import type { RoleArea } from '#shared/platform/auth/levels.ts';
import { type Access, areaOfScope, type Scope } from '#shared/platform/auth/permissions.ts';
import { auditFilter } from '#shared/platform/feed/audit-filter.ts';
import type { Filtered } from '#shared/platform/filter/fields.ts';
import type { FilteredEntity } from '#shared/platform/filter/filter.ts';
import { taskFilter } from '#shared/platform/jobs/task-filter.ts';
import { deliveryFilter } from '#shared/platform/outgoing/delivery-filter.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { ListQuery } from '#shared/platform/table/list.ts';
import type { SearchPage } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { engagementFilter } from '#shared/scanning/engagements/filter-fields.ts';
import { scannerTaskFilter } from '#shared/scanning/scanner-tasks/filter-fields.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { alertFilter } from '#shared/soc/alerts/filter-fields.ts';
import { incidentFilter } from '#shared/soc/incidents/filter-fields.ts';
import { incidents } from '#shared/soc/incidents/incident.ts';
import { ticketFilter } from '#shared/ticketing/filter-fields.ts';
import { tickets } from '#shared/ticketing/ticket.ts';
import { exposedCredentials } from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { credentialFilter } from '#shared/vulnerabilities/exposed-credentials/filter-fields.ts';
import { vulnerabilityFilter } from '#shared/vulnerabilities/vulnerability/filter-fields.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';

/**
 * Records with filters, who may list them, and the area whose administrators change its saved filters. `page`: of a collection; a
 * list that reads rows in the order of time has no counts.
 */
export type Collection = {
  fields: Filtered['fields'];
  access: Access;
  area: RoleArea;
  page?: (table: Table, query: ListQuery) => Promise<SearchPage<Stored>>;
};

const collection = <T extends Stored, D extends keyof T>(
  entity: Entity<T, D>,
  { fields }: Filtered,
  scope: Scope,
): Collection => ({
  fields,
  access: reads(scope),
  area: areaOfScope(scope),
  page: (table, query) => table.list(entity, query),
});

export const collections: Record<FilteredEntity, Collection> = {
  finding: collection(findings, findingFilter, 'findings:read'),
  vulnerability: collection(vulnerabilities, vulnerabilityFilter, 'vulnerabilities:read'),
  asset: collection(assets, assetFilter, 'assets:read'),
  alert: collection(alerts, alertFilter, 'soc:read'),
  incident: collection(incidents, incidentFilter, 'soc:read'),
  'exposed-credential': collection(exposedCredentials, credentialFilter, 'findings:read'),
  identity: collection(identities, identityFilter, 'soc:read'),
  repository: {
    ...collection(repositories, repositoryFilter, 'assets:read'),
    page: (table, query) => table.list(repositories, { ...query, where: { status: LISTED_STATUSES } }),
  },
  import: collection(importedReports, importFilter, 'findings:read'),
  ticket: collection(tickets, ticketFilter, 'findings:read'),
  engagement: collection(engagements, engagementFilter, 'findings:read'),
  application: collection(applications, applicationFilter, 'assets:read'),
  'scanner-task': {
    ...collection(scannerTasks, scannerTaskFilter, 'scans:trigger'),
    access: readsScans,
    area: readsScans.area,
  },
  task: { fields: taskFilter.fields, access: 'authenticated', area: 'organization' },
  audit: { fields: auditFilter.fields, access: admin, area: 'organization' },
  delivery: { fields: deliveryFilter.fields, access: admin, area: 'organization' },
};
