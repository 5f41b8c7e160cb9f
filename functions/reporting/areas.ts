import type { Areas } from '../area.ts';
import { reportRoutes } from './reports/routes.ts';

export const reportingAreas = {
  reports: {
    routes: reportRoutes,
    load: () => import('./reports/index.ts'),
    needs: { sends: ['mail', 'reports'], bucket: 'write' },
  },
} satisfies Areas;
