import type { Area } from '../area.ts';
import { applicationAssetRoutes } from './application-assets/routes.ts';
import { applicationRiskRoutes } from './application-risk/routes.ts';
import { applicationRuleRoutes } from './application-rules/routes.ts';
import { applicationRoutes } from './applications/routes.ts';
import { assetExposureRoutes } from './asset-exposure/routes.ts';
import { assetTagRuleRoutes } from './asset-tag-rules/routes.ts';
import { complianceRoutes } from './compliance/routes.ts';
import { dashboardRoutes } from './dashboards/routes.ts';

export const exposureAreas = [
  {
    name: 'application-assets',
    routes: applicationAssetRoutes,
    needs: { sends: ['ingest', 'views'] },
    load: () => import('./application-assets/index.ts'),
  },
  {
    name: 'application-risk',
    routes: applicationRiskRoutes,
    needs: { bucket: 'read' },
    load: () => import('./application-risk/index.ts'),
  },
  {
    name: 'application-rules',
    routes: applicationRuleRoutes,
    needs: { sends: ['views'] },
    load: () => import('./application-rules/index.ts'),
  },
  {
    name: 'applications',
    routes: applicationRoutes,
    needs: { sends: ['views'] },
    load: () => import('./applications/index.ts'),
  },
  {
    name: 'asset-exposure',
    routes: assetExposureRoutes,
    load: () => import('./asset-exposure/index.ts'),
  },
  {
    name: 'asset-tag-rules',
    routes: assetTagRuleRoutes,
    needs: { sends: ['views'] },
    load: () => import('./asset-tag-rules/index.ts'),
  },
  {
    name: 'compliance',
    routes: complianceRoutes,
    needs: { bucket: 'read' },
    load: () => import('./compliance/index.ts'),
  },
  {
    name: 'dashboards',
    routes: dashboardRoutes,
    needs: { bucket: 'read' },
    load: () => import('./dashboards/index.ts'),
  },
] satisfies Area[];
