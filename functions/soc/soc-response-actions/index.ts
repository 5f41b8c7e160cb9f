import { areaHandler } from '#shared/platform/http/area.ts';
import { socResponseActionHandlers } from './handlers.ts';
import { socResponseActionRoutes } from './routes.ts';

export const handler = areaHandler(socResponseActionRoutes, socResponseActionHandlers);
