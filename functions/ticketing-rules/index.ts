import { areaHandler } from '#shared/http/area.ts';
import { ticketingRuleHandlers } from './handlers.ts';
import { ticketingRuleRoutes } from './routes.ts';

export const handler = areaHandler(ticketingRuleRoutes, ticketingRuleHandlers);
