import type { Areas } from '../area.ts';
import { importRoutes } from './import/routes.ts';

export const ingestAreas = {
  import: {
    routes: importRoutes,
    load: () => import('./import/index.ts'),
    needs: { sends: ['ingest'], bucket: 'write' },
  },
} satisfies Areas;
