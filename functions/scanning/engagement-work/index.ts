import { areaHandler } from '#shared/platform/http/area.ts';
import { engagementWorkHandlers } from './handlers.ts';
import { engagementWorkRoutes } from './routes.ts';

export const handler = areaHandler(engagementWorkRoutes, engagementWorkHandlers);
