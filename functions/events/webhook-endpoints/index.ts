import { areaHandler } from '#shared/platform/http/area.ts';
import { webhookEndpointHandlers } from './handlers.ts';
import { webhookEndpointRoutes } from './routes.ts';

export const handler = areaHandler(webhookEndpointRoutes, webhookEndpointHandlers);
