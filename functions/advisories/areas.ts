import type { Area } from '../area.ts';
import { advisoryRoutes } from './advisories/routes.ts';

export const advisoryAreas = [
  {
    name: 'advisories',
    routes: advisoryRoutes,
    needs: { bucket: 'read' },
    load: () => import('./advisories/index.ts'),
  },
] satisfies Area[];
