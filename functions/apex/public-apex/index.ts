import { areaHandler } from '#shared/platform/http/area.ts';
import { publicApexHandlers } from './handlers.ts';
import { publicApexRoutes } from './routes.ts';

export const handler = areaHandler(publicApexRoutes, publicApexHandlers);
