import type { Area } from '../area.ts';
import { billingRoutes } from './billing/routes.ts';

export const billingAreas = [
  {
    name: 'billing',
    routes: billingRoutes,
    needs: { sends: ['billing', 'webhooks'] },
    load: () => import('./billing/index.ts'),
  },
] satisfies Area[];
