import { advisoryRoutes } from './advisories/routes.ts';
import { applicationAreas } from './application-areas.ts';
import type { Area } from './area.ts';
import { assetExposureRoutes } from './asset-exposure/routes.ts';
import { assetTagRuleRoutes } from './asset-tag-rules/routes.ts';
import { assetRoutes } from './assets/routes.ts';
import { billingRoutes } from './billing/routes.ts';
import { changeRoutes } from './changes/routes.ts';
import { complianceRoutes } from './compliance/routes.ts';
import { configRoutes } from './config/routes.ts';
import { credentialRoutes } from './credentials/routes.ts';
import { dashboardRoutes } from './dashboards/routes.ts';
import { exposedCredentialRoutes } from './exposed-credentials/routes.ts';
import { findingEvidenceRoutes } from './finding-evidence/routes.ts';
import { findingExportRoutes } from './finding-exports/routes.ts';
import { findingRuleRoutes } from './finding-rules/routes.ts';
import { findingUpdateRoutes } from './finding-updates/routes.ts';
import { findingRoutes } from './findings/routes.ts';
import { importRoutes } from './import/routes.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { integratorCommunicationRoutes } from './integrator-communication/routes.ts';
import { inventoryRoutes } from './inventory/routes.ts';
import { maintenanceRoutes } from './maintenance/routes.ts';
import { referenceRoutes } from './reference/routes.ts';
import { remediationRoutes } from './remediations/routes.ts';
import { repositoryRoutes } from './repositories/routes.ts';
import { slaPolicyRoutes } from './sla-policies/routes.ts';
import { socAreas } from './soc-areas.ts';
import { statusRoutes } from './status/routes.ts';
import { taskRoutes } from './tasks/routes.ts';
import { ticketingRoutes } from './ticketing/routes.ts';
import { tokenRoutes } from './token/routes.ts';
import { uploadRoutes } from './uploads/routes.ts';
import { validationAreas } from './validation-areas.ts';
import { vulnerabilityRoutes } from './vulnerabilities/routes.ts';
import { vulnerabilityUpdateRoutes } from './vulnerability-updates/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { zoneRoutes } from './zones/routes.ts';

const declared = [
  ...validationAreas,
  ...applicationAreas,
  ...socAreas,
  { name: 'credentials', routes: credentialRoutes, load: () => import('./credentials/index.ts') },
  {
    name: 'advisories',
    routes: advisoryRoutes,
    needs: { bucket: 'read' },
    load: () => import('./advisories/index.ts'),
  },
  {
    name: 'assets',
    routes: assetRoutes,
    needs: { sends: ['ingest', 'exports', 'views'], bucket: 'read' },
    load: () => import('./assets/index.ts'),
  },
  {
    name: 'asset-tag-rules',
    routes: assetTagRuleRoutes,
    needs: { sends: ['views'] },
    load: () => import('./asset-tag-rules/index.ts'),
  },
  { name: 'asset-exposure', routes: assetExposureRoutes, load: () => import('./asset-exposure/index.ts') },
  {
    name: 'integrator-communication',
    routes: integratorCommunicationRoutes,
    needs: { sends: ['ingest', 'views'], bucket: 'write', sealingKey: true },
    load: () => import('./integrator-communication/index.ts'),
  },
  {
    name: 'integrations',
    routes: integrationRoutes,
    needs: { sends: ['hosts', 'webhooks'], sealingKey: true },
    load: () => import('./integrations/index.ts'),
  },
  {
    name: 'webhooks',
    routes: webhookRoutes,
    needs: { sends: ['billing', 'ticketing', 'webhooks'], bucket: 'write', sealingKey: true, billingSecret: true },
    load: () => import('./webhooks/index.ts'),
  },
  {
    name: 'ticketing',
    routes: ticketingRoutes,
    needs: { sends: ['ticketing'], sealingKey: true },
    load: () => import('./ticketing/index.ts'),
  },
  {
    name: 'repositories',
    routes: repositoryRoutes,
    needs: { sends: ['ingest', 'views'] },
    load: () => import('./repositories/index.ts'),
  },
  {
    name: 'inventory',
    routes: inventoryRoutes,
    needs: { bucket: 'read' },
    load: () => import('./inventory/index.ts'),
  },
  {
    name: 'changes',
    routes: changeRoutes,
    needs: { sends: ['maintenance'] },
    load: () => import('./changes/index.ts'),
  },
  {
    name: 'billing',
    routes: billingRoutes,
    needs: { sends: ['billing', 'webhooks'] },
    load: () => import('./billing/index.ts'),
  },
  {
    name: 'compliance',
    routes: complianceRoutes,
    needs: { bucket: 'read' },
    load: () => import('./compliance/index.ts'),
  },
  { name: 'config', routes: configRoutes, load: () => import('./config/index.ts') },
  {
    name: 'import',
    routes: importRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('./import/index.ts'),
  },
  {
    name: 'dashboards',
    routes: dashboardRoutes,
    needs: { bucket: 'read' },
    load: () => import('./dashboards/index.ts'),
  },
  {
    name: 'findings',
    routes: findingRoutes,
    needs: { sends: ['ingest'], bucket: 'read' },
    load: () => import('./findings/index.ts'),
  },
  {
    name: 'exposed-credentials',
    routes: exposedCredentialRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('./exposed-credentials/index.ts'),
  },
  {
    name: 'finding-evidence',
    routes: findingEvidenceRoutes,
    needs: { bucket: 'write' },
    load: () => import('./finding-evidence/index.ts'),
  },
  {
    name: 'finding-updates',
    routes: findingUpdateRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('./finding-updates/index.ts'),
  },
  {
    name: 'finding-rules',
    routes: findingRuleRoutes,
    needs: { sends: ['ingest'] },
    load: () => import('./finding-rules/index.ts'),
  },
  {
    name: 'finding-exports',
    routes: findingExportRoutes,
    needs: { sends: ['exports'], bucket: 'read' },
    load: () => import('./finding-exports/index.ts'),
  },
  {
    name: 'maintenance',
    routes: maintenanceRoutes,
    needs: { sends: ['ingest', 'maintenance', 'views'], bucket: 'write' },
    load: () => import('./maintenance/index.ts'),
  },
  { name: 'reference', routes: referenceRoutes, load: () => import('./reference/index.ts') },
  {
    name: 'remediations',
    routes: remediationRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('./remediations/index.ts'),
  },
  {
    name: 'sla-policies',
    routes: slaPolicyRoutes,
    needs: { sends: ['ingest'] },
    load: () => import('./sla-policies/index.ts'),
  },
  {
    name: 'status',
    routes: statusRoutes,
    needs: { checksQueues: true, bucket: 'read' },
    load: () => import('./status/index.ts'),
  },
  { name: 'tasks', routes: taskRoutes, load: () => import('./tasks/index.ts') },
  { name: 'token', routes: tokenRoutes, needs: { signingKey: 'sign' }, load: () => import('./token/index.ts') },
  {
    name: 'vulnerabilities',
    routes: vulnerabilityRoutes,
    needs: { sends: ['ingest', 'exports'], bucket: 'read' },
    load: () => import('./vulnerabilities/index.ts'),
  },
  {
    name: 'vulnerability-updates',
    routes: vulnerabilityUpdateRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('./vulnerability-updates/index.ts'),
  },
  { name: 'uploads', routes: uploadRoutes, needs: { bucket: 'write' }, load: () => import('./uploads/index.ts') },
  { name: 'zones', routes: zoneRoutes, load: () => import('./zones/index.ts') },
] satisfies Area[];

/**
 * Every area of the service. The gateway, the local server, the API reference and the tests are made from this list.
 */
export const areas: readonly Area[] = declared;

/** The routes of all areas with their exact types, for the typed client of the tests. */
export type DeclaredRoutes = (typeof declared)[number]['routes'];
