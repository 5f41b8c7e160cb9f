import type { Area } from '../area.ts';
import { assetRoutes } from './assets/routes.ts';
import { identityRoutes } from './identities/routes.ts';
import { inventoryRoutes } from './inventory/routes.ts';
import { zoneRoutes } from './zones/routes.ts';

export const assetAreas = [
  {
    name: 'assets',
    routes: assetRoutes,
    needs: { sends: ['ingest', 'exports', 'views'], bucket: 'read' },
    load: () => import('./assets/index.ts'),
  },
  {
    name: 'inventory',
    routes: inventoryRoutes,
    needs: { bucket: 'read' },
    load: () => import('./inventory/index.ts'),
  },
  { name: 'identities', routes: identityRoutes, load: () => import('./identities/index.ts') },
  { name: 'zones', routes: zoneRoutes, load: () => import('./zones/index.ts') },
] satisfies Area[];
