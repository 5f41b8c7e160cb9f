import { areaHandler } from '#shared/http/area.ts';
import { ticketHandlers } from './handlers.ts';
import { ticketRoutes } from './routes.ts';

export const handler = areaHandler(ticketRoutes, ticketHandlers);
