import { areaHandler } from '#shared/platform/http/area.ts';
import { ticketingHandlers } from './handlers.ts';
import { ticketingRoutes } from './routes.ts';

export const handler = areaHandler(ticketingRoutes, ticketingHandlers);
