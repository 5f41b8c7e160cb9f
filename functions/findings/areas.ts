import type { Areas } from '../area.ts';
import { branchRoutes } from './branches/routes.ts';
import { findingEvidenceRoutes } from './finding-evidence/routes.ts';
import { findingExportRoutes } from './finding-exports/routes.ts';
import { findingRuleRoutes } from './finding-rules/routes.ts';
import { findingUpdateRoutes } from './finding-updates/routes.ts';
import { findingRoutes } from './findings/routes.ts';
import { remediationScanRoutes } from './remediation-scans/routes.ts';
import { remediationRoutes } from './remediations/routes.ts';
import { slaPolicyRoutes } from './sla-policies/routes.ts';

export const findingAreas = {
  branches: {
    routes: branchRoutes,
    load: () => import('./branches/index.ts'),
    needs: { sends: ['ingest'], bucket: 'read' },
  },
  'finding-evidence': {
    routes: findingEvidenceRoutes,
    load: () => import('./finding-evidence/index.ts'),
    needs: { sends: ['mail'], bucket: 'write' },
  },
  'finding-exports': {
    routes: findingExportRoutes,
    load: () => import('./finding-exports/index.ts'),
    needs: { sends: ['exports'], bucket: 'read' },
  },
  'finding-rules': {
    routes: findingRuleRoutes,
    load: () => import('./finding-rules/index.ts'),
    needs: { sends: ['ingest'] },
  },
  'finding-updates': {
    routes: findingUpdateRoutes,
    load: () => import('./finding-updates/index.ts'),
    needs: { sends: ['ingest', 'mail'], bucket: 'write' },
  },
  findings: {
    routes: findingRoutes,
    load: () => import('./findings/index.ts'),
    needs: { sends: ['ingest'], bucket: 'read' },
  },
  remediations: {
    routes: remediationRoutes,
    load: () => import('./remediations/index.ts'),
    needs: { sends: ['ingest', 'mail'], bucket: 'write' },
  },
  'remediation-scans': {
    routes: remediationScanRoutes,
    load: () => import('./remediation-scans/index.ts'),
    needs: { sends: ['engagements'] },
  },
  'sla-policies': {
    routes: slaPolicyRoutes,
    load: () => import('./sla-policies/index.ts'),
    needs: { sends: ['ingest'] },
  },
} satisfies Areas;
