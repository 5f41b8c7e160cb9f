import type { Areas } from '../area.ts';
import { billingRoutes } from './billing/routes.ts';

export const billingAreas = {
  billing: {
    routes: billingRoutes,
    load: () => import('./billing/index.ts'),
    needs: { sends: ['billing', 'webhooks'], payments: true },
  },
} satisfies Areas;
