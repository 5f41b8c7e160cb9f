import type { Areas } from '../area.ts';
import { ticketingRoutes } from './ticketing/routes.ts';
import { ticketingConnectionRoutes } from './ticketing-connections/routes.ts';

export const ticketingAreas = {
  ticketing: {
    routes: ticketingRoutes,
    load: () => import('./ticketing/index.ts'),
    needs: { sends: ['ticketing'], sealingKey: true },
  },
  'ticketing-connections': {
    routes: ticketingConnectionRoutes,
    load: () => import('./ticketing-connections/index.ts'),
    needs: { sends: ['ticketing'], sealingKey: true },
  },
} satisfies Areas;
