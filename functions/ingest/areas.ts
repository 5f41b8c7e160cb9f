import type { Area } from '../area.ts';
import { importRoutes } from './import/routes.ts';

export const ingestAreas = [
  {
    name: 'import',
    routes: importRoutes,
    needs: { sends: ['ingest'], bucket: 'write' },
    load: () => import('./import/index.ts'),
  },
] satisfies Area[];
