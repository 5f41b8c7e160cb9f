import { areaHandler } from '#shared/platform/http/area.ts';
import { socAlertHandlers } from './handlers.ts';
import { socAlertRoutes } from './routes.ts';

export const handler = areaHandler(socAlertRoutes, socAlertHandlers);
