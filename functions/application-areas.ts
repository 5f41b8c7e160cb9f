import { applicationAssetRoutes } from './application-assets/routes.ts';
import { applicationRiskRoutes } from './application-risk/routes.ts';
import { applicationRuleRoutes } from './application-rules/routes.ts';
import { applicationRoutes } from './applications/routes.ts';
import type { Area } from './area.ts';
import { codeBranchRoutes } from './code-branches/routes.ts';

/** The areas of applications and of the code that they are made of, for the contract of all areas. */
export const applicationAreas = [
  {
    name: 'applications',
    routes: applicationRoutes,
    needs: { sends: ['views'] },
    load: () => import('./applications/index.ts'),
  },
  {
    name: 'application-assets',
    routes: applicationAssetRoutes,
    needs: { sends: ['ingest', 'views'] },
    load: () => import('./application-assets/index.ts'),
  },
  {
    name: 'application-rules',
    routes: applicationRuleRoutes,
    needs: { sends: ['views'] },
    load: () => import('./application-rules/index.ts'),
  },
  {
    name: 'application-risk',
    routes: applicationRiskRoutes,
    needs: { bucket: 'read' },
    load: () => import('./application-risk/index.ts'),
  },
  {
    name: 'code-branches',
    routes: codeBranchRoutes,
    needs: { sends: ['engagements'] },
    load: () => import('./code-branches/index.ts'),
  },
] satisfies Area[];
