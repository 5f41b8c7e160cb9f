import { areaHandler } from '#shared/platform/http/area.ts';
import { socIncidentHandlers } from './handlers.ts';
import { socIncidentRoutes } from './routes.ts';

export const handler = areaHandler(socIncidentRoutes, socIncidentHandlers);
