import { areaHandler } from '#shared/platform/http/area.ts';
import { applicationHandlers } from './handlers.ts';
import { applicationRoutes } from './routes.ts';

export const handler = areaHandler(applicationRoutes, applicationHandlers);
