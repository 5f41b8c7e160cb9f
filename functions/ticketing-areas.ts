import type { Area } from './area.ts';
import { ticketingConnectionRoutes } from './ticketing-connections/routes.ts';
import { ticketingRuleRoutes } from './ticketing-rules/routes.ts';
import { ticketRoutes } from './tickets/routes.ts';

/** The areas of ticketing systems, for the contract of all areas. */
export const ticketingAreas = [
  {
    name: 'ticketing-connections',
    routes: ticketingConnectionRoutes,
    needs: { sends: ['ticketing'], sealingKey: true },
    load: () => import('./ticketing-connections/index.ts'),
  },
  {
    name: 'ticketing-rules',
    routes: ticketingRuleRoutes,
    needs: { sends: ['ticketing'], sealingKey: true },
    load: () => import('./ticketing-rules/index.ts'),
  },
  {
    name: 'tickets',
    routes: ticketRoutes,
    needs: { sends: ['ticketing'] },
    load: () => import('./tickets/index.ts'),
  },
] satisfies Area[];
