import { ticketingConnectionRoutes } from './connection-routes.ts';
import { ticketingRuleRoutes } from './rule-routes.ts';
import { ticketRoutes } from './ticket-routes.ts';

export const ticketingRoutes = { ...ticketingConnectionRoutes, ...ticketingRuleRoutes, ...ticketRoutes };
