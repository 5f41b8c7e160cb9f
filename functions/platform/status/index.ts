import { areaHandler } from '#shared/platform/http/area.ts';
import { statusHandlers } from './handlers.ts';
import { statusRoutes } from './routes.ts';

export const handler = areaHandler(statusRoutes, statusHandlers);
