import { areaHandler } from '#shared/platform/http/area.ts';
import { notificationHandlers } from './handlers.ts';
import { notificationRoutes } from './routes.ts';

export const handler = areaHandler(notificationRoutes, notificationHandlers);
