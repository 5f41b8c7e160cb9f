import { areaHandler } from '#shared/platform/http/area.ts';
import { engagementCalendarHandlers } from './handlers.ts';
import { engagementCalendarRoutes } from './routes.ts';

export const handler = areaHandler(engagementCalendarRoutes, engagementCalendarHandlers);
