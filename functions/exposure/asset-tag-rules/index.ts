import { areaHandler } from '#shared/platform/http/area.ts';
import { assetTagRuleHandlers } from './handlers.ts';
import { assetTagRuleRoutes } from './routes.ts';

export const handler = areaHandler(assetTagRuleRoutes, assetTagRuleHandlers);
