import { areaHandler } from '#shared/http/area.ts';
import { engagementLogHandlers } from './handlers.ts';
import { engagementLogRoutes } from './routes.ts';

export const handler = areaHandler(engagementLogRoutes, engagementLogHandlers);
