import { areaHandler } from '#shared/platform/http/area.ts';
import { reportHandlers } from './handlers.ts';
import { reportRoutes } from './routes.ts';

export const handler = areaHandler(reportRoutes, reportHandlers);
