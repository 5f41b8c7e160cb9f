import { areaHandler } from '#shared/platform/http/area.ts';
import { engagementHandlers } from './handlers.ts';
import { engagementRoutes } from './routes.ts';

export const handler = areaHandler(engagementRoutes, engagementHandlers);
