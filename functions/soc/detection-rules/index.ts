import { areaHandler } from '#shared/platform/http/area.ts';
import { detectionRuleHandlers } from './handlers.ts';
import { detectionRuleRoutes } from './routes.ts';

export const handler = areaHandler(detectionRuleRoutes, detectionRuleHandlers);
