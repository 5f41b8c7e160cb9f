import { areaHandler } from '#shared/platform/http/area.ts';
import { tokenHandlers } from './handlers.ts';
import { tokenRoutes } from './routes.ts';

export const handler = areaHandler(tokenRoutes, tokenHandlers);
