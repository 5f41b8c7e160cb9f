import type { Area } from '#functions/area.ts';
import { codeBranchRoutes } from '#functions/code/code-branches/routes.ts';
import { applicationAssetRoutes } from '#functions/exposure/application-assets/routes.ts';
import { applicationRiskRoutes } from '#functions/exposure/application-risk/routes.ts';
import { applicationRuleRoutes } from '#functions/exposure/application-rules/routes.ts';
import { applicationRoutes } from '#functions/exposure/applications/routes.ts';

/** The areas of applications and of the code that they are made of, for the contract of all areas. */
export const applicationAreas = [
  {
    name: 'applications',
    routes: applicationRoutes,
    needs: { sends: ['views'] },
    load: () => import('#functions/exposure/applications/index.ts'),
  },
  {
    name: 'application-assets',
    routes: applicationAssetRoutes,
    needs: { sends: ['ingest', 'views'] },
    load: () => import('#functions/exposure/application-assets/index.ts'),
  },
  {
    name: 'application-rules',
    routes: applicationRuleRoutes,
    needs: { sends: ['views'] },
    load: () => import('#functions/exposure/application-rules/index.ts'),
  },
  {
    name: 'application-risk',
    routes: applicationRiskRoutes,
    needs: { bucket: 'read' },
    load: () => import('#functions/exposure/application-risk/index.ts'),
  },
  {
    name: 'code-branches',
    routes: codeBranchRoutes,
    needs: { sends: ['engagements'] },
    load: () => import('#functions/code/code-branches/index.ts'),
  },
] satisfies Area[];
