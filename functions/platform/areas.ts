import type { Area } from '../area.ts';
import { changeRoutes } from './changes/routes.ts';
import { configRoutes } from './config/routes.ts';
import { maintenanceRoutes } from './maintenance/routes.ts';
import { referenceRoutes } from './reference/routes.ts';
import { statusRoutes } from './status/routes.ts';
import { taskRoutes } from './tasks/routes.ts';
import { uploadRoutes } from './uploads/routes.ts';

export const platformAreas = [
  {
    name: 'changes',
    routes: changeRoutes,
    needs: { sends: ['maintenance'] },
    load: () => import('./changes/index.ts'),
  },
  { name: 'config', routes: configRoutes, load: () => import('./config/index.ts') },
  {
    name: 'maintenance',
    routes: maintenanceRoutes,
    needs: { sends: ['ingest', 'maintenance', 'views'], bucket: 'write' },
    load: () => import('./maintenance/index.ts'),
  },
  { name: 'reference', routes: referenceRoutes, load: () => import('./reference/index.ts') },
  {
    name: 'status',
    routes: statusRoutes,
    needs: { checksQueues: true, bucket: 'read' },
    load: () => import('./status/index.ts'),
  },
  { name: 'tasks', routes: taskRoutes, load: () => import('./tasks/index.ts') },
  {
    name: 'uploads',
    routes: uploadRoutes,
    needs: { bucket: 'write' },
    load: () => import('./uploads/index.ts'),
  },
] satisfies Area[];
