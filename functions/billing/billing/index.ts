import { areaHandler } from '#shared/platform/http/area.ts';
import { billingHandlers } from './handlers.ts';
import { billingRoutes } from './routes.ts';

export const handler = areaHandler(billingRoutes, billingHandlers);
