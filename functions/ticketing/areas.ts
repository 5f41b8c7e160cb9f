import type { Area } from '../area.ts';
import { ticketingRoutes } from './ticketing/routes.ts';

export const ticketingAreas = [
  {
    name: 'ticketing',
    routes: ticketingRoutes,
    needs: { sends: ['ticketing'], sealingKey: true },
    load: () => import('./ticketing/index.ts'),
  },
] satisfies Area[];
