import { areaHandler } from '#shared/platform/http/area.ts';
import { identityHandlers } from './handlers.ts';
import { identityRoutes } from './routes.ts';

export const handler = areaHandler(identityRoutes, identityHandlers);
