import { areaHandler } from '#shared/platform/http/area.ts';
import { deliveryHandlers } from './handlers.ts';
import { deliveryRoutes } from './routes.ts';

export const handler = areaHandler(deliveryRoutes, deliveryHandlers);
