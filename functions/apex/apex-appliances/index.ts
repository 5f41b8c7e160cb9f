import { areaHandler } from '#shared/platform/http/area.ts';
import { apexApplianceHandlers } from './handlers.ts';
import { apexApplianceRoutes } from './routes.ts';

export const handler = areaHandler(apexApplianceRoutes, apexApplianceHandlers);
