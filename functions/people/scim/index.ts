import { areaHandler } from '#shared/platform/http/area.ts';
import { scimHandlers } from './handlers.ts';
import { scimRoutes } from './routes.ts';

export const handler = areaHandler(scimRoutes, scimHandlers);
