import { areaHandler } from '#shared/platform/http/area.ts';
import { dashboardHandlers } from './handlers.ts';
import { dashboardRoutes } from './routes.ts';

export const handler = areaHandler(dashboardRoutes, dashboardHandlers);
