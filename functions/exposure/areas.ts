import type { Areas } from '../area.ts';
import { applicationAssetRoutes } from './application-assets/routes.ts';
import { applicationRiskRoutes } from './application-risk/routes.ts';
import { applicationRuleRoutes } from './application-rules/routes.ts';
import { applicationRoutes } from './applications/routes.ts';
import { assetExposureRoutes } from './asset-exposure/routes.ts';
import { assetTagRuleRoutes } from './asset-tag-rules/routes.ts';
import { complianceRoutes } from './compliance/routes.ts';
import { dashboardRoutes } from './dashboards/routes.ts';

export const exposureAreas = {
  'application-assets': {
    routes: applicationAssetRoutes,
    load: () => import('./application-assets/index.ts'),
    needs: { sends: ['ingest', 'views'] },
  },
  'application-risk': {
    routes: applicationRiskRoutes,
    load: () => import('./application-risk/index.ts'),
    needs: { bucket: 'read' },
  },
  'application-rules': {
    routes: applicationRuleRoutes,
    load: () => import('./application-rules/index.ts'),
    needs: { sends: ['views'] },
  },
  applications: {
    routes: applicationRoutes,
    load: () => import('./applications/index.ts'),
    needs: { sends: ['views', 'mail'] },
  },
  'asset-exposure': { routes: assetExposureRoutes, load: () => import('./asset-exposure/index.ts') },
  'asset-tag-rules': {
    routes: assetTagRuleRoutes,
    load: () => import('./asset-tag-rules/index.ts'),
    needs: { sends: ['views'] },
  },
  compliance: { routes: complianceRoutes, load: () => import('./compliance/index.ts'), needs: { bucket: 'read' } },
  dashboards: { routes: dashboardRoutes, load: () => import('./dashboards/index.ts'), needs: { bucket: 'read' } },
} satisfies Areas;
