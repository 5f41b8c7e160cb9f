import { advisoryRoutes } from '#functions/advisories/advisories/routes.ts';
import { applicationAreas } from '#functions/application-areas.ts';
import type { Area } from '#functions/area.ts';
import { assetRoutes } from '#functions/assets/assets/routes.ts';
import { inventoryRoutes } from '#functions/assets/inventory/routes.ts';
import { zoneRoutes } from '#functions/assets/zones/routes.ts';
import { billingRoutes } from '#functions/billing/billing/routes.ts';
import { integrationRoutes } from '#functions/code/integrations/routes.ts';
import { repositoryRoutes } from '#functions/code/repositories/routes.ts';
import { webhookRoutes } from '#functions/code/webhooks/routes.ts';
import { credentialRoutes } from '#functions/credentials/credentials/routes.ts';
import { tokenRoutes } from '#functions/credentials/token/routes.ts';
import { assetExposureRoutes } from '#functions/exposure/asset-exposure/routes.ts';
import { assetTagRuleRoutes } from '#functions/exposure/asset-tag-rules/routes.ts';
import { complianceRoutes } from '#functions/exposure/compliance/routes.ts';
import { dashboardRoutes } from '#functions/exposure/dashboards/routes.ts';
import { findingEvidenceRoutes } from '#functions/findings/finding-evidence/routes.ts';
import { findingExportRoutes } from '#functions/findings/finding-exports/routes.ts';
import { findingRuleRoutes } from '#functions/findings/finding-rules/routes.ts';
import { findingUpdateRoutes } from '#functions/findings/finding-updates/routes.ts';
import { findingRoutes } from '#functions/findings/findings/routes.ts';
import { remediationRoutes } from '#functions/findings/remediations/routes.ts';
import { slaPolicyRoutes } from '#functions/findings/sla-policies/routes.ts';
import { importRoutes } from '#functions/ingest/import/routes.ts';
import { changeRoutes } from '#functions/platform/changes/routes.ts';
import { configRoutes } from '#functions/platform/config/routes.ts';
import { maintenanceRoutes } from '#functions/platform/maintenance/routes.ts';
import { referenceRoutes } from '#functions/platform/reference/routes.ts';
import { statusRoutes } from '#functions/platform/status/routes.ts';
import { taskRoutes } from '#functions/platform/tasks/routes.ts';
import { uploadRoutes } from '#functions/platform/uploads/routes.ts';
import { integratorCommunicationRoutes } from '#functions/soc/integrator-communication/routes.ts';
import { socAreas } from '#functions/soc-areas.ts';
import { ticketingRoutes } from '#functions/ticketing/ticketing/routes.ts';
import { validationAreas } from '#functions/validation-areas.ts';
import { exposedCredentialRoutes } from '#functions/vulnerabilities/exposed-credentials/routes.ts';
import { vulnerabilityRoutes } from '#functions/vulnerabilities/vulnerabilities/routes.ts';
import { vulnerabilityUpdateRoutes } from '#functions/vulnerabilities/vulnerability-updates/routes.ts';

const declared = [
  ...validationAreas,
  ...applicationAreas,
  ...socAreas,
  { name: 'credentials', routes: credentialRoutes, load: () => import('#functions/credentials/credentials/index.ts') },
  {
    name: 'advisories',
    routes: advisoryRoutes,
    needs: { bucket: 'read' },
    load: () => import('#functions/advisories/advisories/index.ts'),
  },
  {
    name: 'assets',
    routes: assetRoutes,
    needs: { sends: ['ingest', 'exports', 'views'], bucket: 'read' },
    load: () => import('#functions/assets/assets/index.ts'),
  },
  {
    name: 'asset-tag-rules',
    routes: assetTagRuleRoutes,
    needs: { sends: ['views'] },
    load: () => import('#functions/exposure/asset-tag-rules/index.ts'),
  },
  {
    name: 'asset-exposure',
    routes: assetExposureRoutes,
    load: () => import('#functions/exposure/asset-exposure/index.ts'),
  },
  {
    name: 'integrator-communication',
    routes: integratorCommunicationRoutes,
    needs: { sends: ['ingest', 'views'], bucket: 'write', sealingKey: true },
    load: () => import('#functions/soc/integrator-communication/index.ts'),
  },
  {
    name: 'integrations',
    routes: integrationRoutes,
    needs: { sends: ['hosts', 'webhooks'], sealingKey: true },
    load: () => import('#functions/code/integrations/index.ts'),
  },
  {
    name: 'webhooks',
    routes: webhookRoutes,
    needs: { sends: ['billing', 'ticketing', 'webhooks'], bucket: 'write', sealingKey: true, billingSecret: true },
    load: () => import('#functions/code/webhooks/index.ts'),
  },
  {
    name: 'ticketing',
    routes: ticketingRoutes,
    needs: { sends: ['ticketing'], sealingKey: true },
    load: () => import('#functions/ticketing/ticketing/index.ts'),
  },
  {
    name: 'repositories',
    routes: repositoryRoutes,
    needs: { sends: ['ingest', 'views'] },
    load: () => import('#functions/code/repositories/index.ts'),
  },
  {
    name: 'inventory',
    routes: inventoryRoutes,
    needs: { bucket: 'read' },
    load: () => import('#functions/assets/inventory/index.ts'),
  },
  {
    name: 'changes',
    routes: changeRoutes,
    needs: { sends: ['maintenance'] },
    load: () => import('#functions/platform/changes/index.ts'),
  },
  {
    name: 'billing',
    routes: billingRoutes,
    needs: { sends: ['billing', 'webhooks'] },
    load: () => import('#functions/billing/billing/index.ts'),
  },
  {
    name: 'compliance',
    routes: complianceRoutes,
    needs: { bucket: 'read' },
    load: () => import('#functions/exposure/compliance/index.ts'),
  },
  { name: 'config', routes: configRoutes, load: () => import('#functions/platform/config/index.ts') },
  {
    name: 'import',
    routes: importRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('#functions/ingest/import/index.ts'),
  },
  {
    name: 'dashboards',
    routes: dashboardRoutes,
    needs: { bucket: 'read' },
    load: () => import('#functions/exposure/dashboards/index.ts'),
  },
  {
    name: 'findings',
    routes: findingRoutes,
    needs: { sends: ['ingest'], bucket: 'read' },
    load: () => import('#functions/findings/findings/index.ts'),
  },
  {
    name: 'exposed-credentials',
    routes: exposedCredentialRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('#functions/vulnerabilities/exposed-credentials/index.ts'),
  },
  {
    name: 'finding-evidence',
    routes: findingEvidenceRoutes,
    needs: { bucket: 'write' },
    load: () => import('#functions/findings/finding-evidence/index.ts'),
  },
  {
    name: 'finding-updates',
    routes: findingUpdateRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('#functions/findings/finding-updates/index.ts'),
  },
  {
    name: 'finding-rules',
    routes: findingRuleRoutes,
    needs: { sends: ['ingest'] },
    load: () => import('#functions/findings/finding-rules/index.ts'),
  },
  {
    name: 'finding-exports',
    routes: findingExportRoutes,
    needs: { sends: ['exports'], bucket: 'read' },
    load: () => import('#functions/findings/finding-exports/index.ts'),
  },
  {
    name: 'maintenance',
    routes: maintenanceRoutes,
    needs: { sends: ['ingest', 'maintenance', 'views'], bucket: 'write' },
    load: () => import('#functions/platform/maintenance/index.ts'),
  },
  { name: 'reference', routes: referenceRoutes, load: () => import('#functions/platform/reference/index.ts') },
  {
    name: 'remediations',
    routes: remediationRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('#functions/findings/remediations/index.ts'),
  },
  {
    name: 'sla-policies',
    routes: slaPolicyRoutes,
    needs: { sends: ['ingest'] },
    load: () => import('#functions/findings/sla-policies/index.ts'),
  },
  {
    name: 'status',
    routes: statusRoutes,
    needs: { checksQueues: true, bucket: 'read' },
    load: () => import('#functions/platform/status/index.ts'),
  },
  { name: 'tasks', routes: taskRoutes, load: () => import('#functions/platform/tasks/index.ts') },
  {
    name: 'token',
    routes: tokenRoutes,
    needs: { signingKey: 'sign' },
    load: () => import('#functions/credentials/token/index.ts'),
  },
  {
    name: 'vulnerabilities',
    routes: vulnerabilityRoutes,
    needs: { sends: ['ingest', 'exports'], bucket: 'read' },
    load: () => import('#functions/vulnerabilities/vulnerabilities/index.ts'),
  },
  {
    name: 'vulnerability-updates',
    routes: vulnerabilityUpdateRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('#functions/vulnerabilities/vulnerability-updates/index.ts'),
  },
  {
    name: 'uploads',
    routes: uploadRoutes,
    needs: { bucket: 'write' },
    load: () => import('#functions/platform/uploads/index.ts'),
  },
  { name: 'zones', routes: zoneRoutes, load: () => import('#functions/assets/zones/index.ts') },
] satisfies Area[];

/**
 * Every area of the service. The gateway, the local server, the API reference and the tests are made from this list.
 */
export const areas: readonly Area[] = declared;

/** The routes of all areas with their exact types, for the typed client of the tests. */
export type DeclaredRoutes = (typeof declared)[number]['routes'];
