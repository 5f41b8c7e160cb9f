import { areaHandler } from '#shared/http/area.ts';
import { dashboardHandlers } from './handlers.ts';
import { dashboardRoutes } from './routes.ts';

export const handler = areaHandler(dashboardRoutes, dashboardHandlers);
