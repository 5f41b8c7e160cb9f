import { areaHandler } from '#shared/platform/http/area.ts';
import { changeHandlers } from './handlers.ts';
import { changeRoutes } from './routes.ts';

export const handler = areaHandler(changeRoutes, changeHandlers);
