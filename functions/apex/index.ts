import { areaHandler } from '#shared/http/area.ts';
import { apexHandlers } from './handlers.ts';
import { apexRoutes } from './routes.ts';

export const handler = areaHandler(apexRoutes, apexHandlers);
