import { areaHandler } from '#shared/platform/http/area.ts';
import { maintenanceHandlers } from './handlers.ts';
import { maintenanceRoutes } from './routes.ts';

export const handler = areaHandler(maintenanceRoutes, maintenanceHandlers);
