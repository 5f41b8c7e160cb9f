import { areaHandler } from '#shared/platform/http/area.ts';
import { eventHandlers } from './handlers.ts';
import { eventRoutes } from './routes.ts';

export const handler = areaHandler(eventRoutes, eventHandlers);
