import { areaHandler } from '#shared/platform/http/area.ts';
import { findingRuleHandlers } from './handlers.ts';
import { findingRuleRoutes } from './routes.ts';

export const handler = areaHandler(findingRuleRoutes, findingRuleHandlers);
