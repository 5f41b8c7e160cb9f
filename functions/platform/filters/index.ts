import { areaHandler } from '#shared/platform/http/area.ts';
import { filterHandlers } from './handlers.ts';
import { filterRoutes } from './routes.ts';

export const handler = areaHandler(filterRoutes, filterHandlers);
