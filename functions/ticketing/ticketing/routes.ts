import { ticketingRuleRoutes } from './rule-routes.ts';
import { ticketRoutes } from './ticket-routes.ts';

export const ticketingRoutes = { ...ticketingRuleRoutes, ...ticketRoutes };
