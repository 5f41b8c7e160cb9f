import { areaHandler } from '#shared/platform/http/area.ts';
import { webhookHandlers } from './handlers.ts';
import { webhookRoutes } from './routes.ts';

export const handler = areaHandler(webhookRoutes, webhookHandlers);
