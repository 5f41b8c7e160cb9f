import { areaHandler } from '#shared/platform/http/area.ts';
import { advisoryHandlers } from './handlers.ts';
import { advisoryRoutes } from './routes.ts';

export const handler = areaHandler(advisoryRoutes, advisoryHandlers);
