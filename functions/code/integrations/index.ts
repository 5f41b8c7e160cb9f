import { areaHandler } from '#shared/platform/http/area.ts';
import { integrationHandlers } from './handlers.ts';
import { integrationRoutes } from './routes.ts';

export const handler = areaHandler(integrationRoutes, integrationHandlers);
