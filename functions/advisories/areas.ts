import type { Areas } from '../area.ts';
import { advisoryRoutes } from './advisories/routes.ts';

export const advisoryAreas = {
  advisories: { routes: advisoryRoutes, load: () => import('./advisories/index.ts'), needs: { bucket: 'read' } },
} satisfies Areas;
