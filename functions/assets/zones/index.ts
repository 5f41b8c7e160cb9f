import { areaHandler } from '#shared/platform/http/area.ts';
import { zoneHandlers } from './handlers.ts';
import { zoneRoutes } from './routes.ts';

export const handler = areaHandler(zoneRoutes, zoneHandlers);
