import { areaHandler } from '#shared/platform/http/area.ts';
import { applicationRiskHandlers } from './handlers.ts';
import { applicationRiskRoutes } from './routes.ts';

export const handler = areaHandler(applicationRiskRoutes, applicationRiskHandlers);
