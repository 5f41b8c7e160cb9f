import type { Area } from '../area.ts';
import { findingEvidenceRoutes } from './finding-evidence/routes.ts';
import { findingExportRoutes } from './finding-exports/routes.ts';
import { findingRuleRoutes } from './finding-rules/routes.ts';
import { findingUpdateRoutes } from './finding-updates/routes.ts';
import { findingRoutes } from './findings/routes.ts';
import { remediationScanRoutes } from './remediation-scans/routes.ts';
import { remediationRoutes } from './remediations/routes.ts';
import { slaPolicyRoutes } from './sla-policies/routes.ts';

export const findingAreas = [
  {
    name: 'finding-evidence',
    routes: findingEvidenceRoutes,
    needs: { bucket: 'write' },
    load: () => import('./finding-evidence/index.ts'),
  },
  {
    name: 'finding-exports',
    routes: findingExportRoutes,
    needs: { sends: ['exports'], bucket: 'read' },
    load: () => import('./finding-exports/index.ts'),
  },
  {
    name: 'finding-rules',
    routes: findingRuleRoutes,
    needs: { sends: ['ingest'] },
    load: () => import('./finding-rules/index.ts'),
  },
  {
    name: 'finding-updates',
    routes: findingUpdateRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('./finding-updates/index.ts'),
  },
  {
    name: 'findings',
    routes: findingRoutes,
    needs: { sends: ['ingest'], bucket: 'read' },
    load: () => import('./findings/index.ts'),
  },
  {
    name: 'remediations',
    routes: remediationRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('./remediations/index.ts'),
  },
  {
    name: 'remediation-scans',
    routes: remediationScanRoutes,
    needs: { sends: ['engagements'] },
    load: () => import('./remediation-scans/index.ts'),
  },
  {
    name: 'sla-policies',
    routes: slaPolicyRoutes,
    needs: { sends: ['ingest'] },
    load: () => import('./sla-policies/index.ts'),
  },
] satisfies Area[];
