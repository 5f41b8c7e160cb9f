import { areaHandler } from '#shared/http/area.ts';
import { engagementWorkHandlers } from './handlers.ts';
import { engagementWorkRoutes } from './routes.ts';

export const handler = areaHandler(engagementWorkRoutes, engagementWorkHandlers);
