import { areaHandler } from '#shared/platform/http/area.ts';
import { apexIntelHandlers } from './handlers.ts';
import { apexIntelRoutes } from './routes.ts';

export const handler = areaHandler(apexIntelRoutes, apexIntelHandlers);
