import { areaHandler } from '#shared/http/area.ts';
import { applicationRuleHandlers } from './handlers.ts';
import { applicationRuleRoutes } from './routes.ts';

export const handler = areaHandler(applicationRuleRoutes, applicationRuleHandlers);
