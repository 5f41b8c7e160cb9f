import { areaHandler } from '#shared/platform/http/area.ts';
import { vulnerabilityHandlers } from './handlers.ts';
import { vulnerabilityRoutes } from './routes.ts';

export const handler = areaHandler(vulnerabilityRoutes, vulnerabilityHandlers);
