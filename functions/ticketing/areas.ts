import type { Areas } from '../area.ts';
import { ticketingRoutes } from './ticketing/routes.ts';

export const ticketingAreas = {
  ticketing: {
    routes: ticketingRoutes,
    load: () => import('./ticketing/index.ts'),
    needs: { sends: ['ticketing'], sealingKey: true },
  },
} satisfies Areas;
