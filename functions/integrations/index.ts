import { areaHandler } from '#shared/http/area.ts';
import { integrationHandlers } from './handlers.ts';
import { integrationRoutes } from './routes.ts';

export const handler = areaHandler(integrationRoutes, integrationHandlers);
