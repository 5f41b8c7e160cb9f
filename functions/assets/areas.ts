import type { Areas } from '../area.ts';
import { assetRoutes } from './assets/routes.ts';
import { identityRoutes } from './identities/routes.ts';
import { inventoryRoutes } from './inventory/routes.ts';
import { zoneRoutes } from './zones/routes.ts';

export const assetAreas = {
  assets: {
    routes: assetRoutes,
    load: () => import('./assets/index.ts'),
    needs: { sends: ['ingest', 'exports', 'views', 'mail'], bucket: 'read' },
  },
  inventory: { routes: inventoryRoutes, load: () => import('./inventory/index.ts'), needs: { bucket: 'read' } },
  identities: { routes: identityRoutes, load: () => import('./identities/index.ts'), needs: { sends: ['mail'] } },
  zones: { routes: zoneRoutes, load: () => import('./zones/index.ts') },
} satisfies Areas;
