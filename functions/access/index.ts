import { areaHandler } from '#shared/http/area.ts';
import { accessHandlers } from './handlers.ts';
import { accessRoutes } from './routes.ts';

export const handler = areaHandler(accessRoutes, accessHandlers);
