import { areaHandler } from '#shared/platform/http/area.ts';
import { complianceHandlers } from './handlers.ts';
import { complianceRoutes } from './routes.ts';

export const handler = areaHandler(complianceRoutes, complianceHandlers);
