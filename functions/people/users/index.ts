import { areaHandler } from '#shared/platform/http/area.ts';
import { userHandlers } from './handlers.ts';
import { userRoutes } from './routes.ts';

export const handler = areaHandler(userRoutes, userHandlers);
