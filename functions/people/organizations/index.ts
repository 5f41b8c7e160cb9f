import { areaHandler } from '#shared/platform/http/area.ts';
import { organizationHandlers } from './handlers.ts';
import { organizationRoutes } from './routes.ts';

export const handler = areaHandler(organizationRoutes, organizationHandlers);
