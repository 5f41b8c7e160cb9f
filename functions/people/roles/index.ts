import { areaHandler } from '#shared/platform/http/area.ts';
import { roleHandlers } from './handlers.ts';
import { roleRoutes } from './routes.ts';

export const handler = areaHandler(roleRoutes, roleHandlers);
