import { areaHandler } from '#shared/platform/http/area.ts';
import { apexTaskHandlers } from './handlers.ts';
import { apexTaskRoutes } from './routes.ts';

export const handler = areaHandler(apexTaskRoutes, apexTaskHandlers);
