import type { Areas } from '../area.ts';
import { changeRoutes } from './changes/routes.ts';
import { configRoutes } from './config/routes.ts';
import { filterRoutes } from './filters/routes.ts';
import { previewRoutes } from './previews/routes.ts';
import { referenceRoutes } from './reference/routes.ts';
import { statusRoutes } from './status/routes.ts';
import { taskRoutes } from './tasks/routes.ts';
import { uploadRoutes } from './uploads/routes.ts';

export const platformAreas = {
  changes: {
    routes: changeRoutes,
    load: () => import('./changes/index.ts'),
    needs: { sends: ['maintenance'], bucket: 'read' },
  },
  config: { routes: configRoutes, load: () => import('./config/index.ts'), needs: { sends: ['mail'] } },
  filters: {
    routes: filterRoutes,
    load: () => import('./filters/index.ts'),
    needs: { sends: ['ingest', 'ticketing', 'views'] },
  },
  previews: {
    routes: previewRoutes,
    load: () => import('./previews/index.ts'),
    needs: { sends: ['ingest'], bucket: 'write' },
  },
  reference: { routes: referenceRoutes, load: () => import('./reference/index.ts') },
  status: {
    routes: statusRoutes,
    load: () => import('./status/index.ts'),
    needs: { checksQueues: true, bucket: 'read' },
  },
  tasks: { routes: taskRoutes, load: () => import('./tasks/index.ts') },
  uploads: { routes: uploadRoutes, load: () => import('./uploads/index.ts'), needs: { bucket: 'write' } },
} satisfies Areas;
