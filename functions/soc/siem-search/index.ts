import { areaHandler } from '#shared/platform/http/area.ts';
import { siemSearchHandlers } from './handlers.ts';
import { siemSearchRoutes } from './routes.ts';

export const handler = areaHandler(siemSearchRoutes, siemSearchHandlers);
