import { areaHandler } from '#shared/platform/http/area.ts';
import { applicationRuleHandlers } from './handlers.ts';
import { applicationRuleRoutes } from './routes.ts';

export const handler = areaHandler(applicationRuleRoutes, applicationRuleHandlers);
