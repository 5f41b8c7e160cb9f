import { areaHandler } from '#shared/platform/http/area.ts';
import { ticketingConnectionHandlers } from './handlers.ts';
import { ticketingConnectionRoutes } from './routes.ts';

export const handler = areaHandler(ticketingConnectionRoutes, ticketingConnectionHandlers);
