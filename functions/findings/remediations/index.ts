import { areaHandler } from '#shared/platform/http/area.ts';
import { remediationHandlers } from './handlers.ts';
import { remediationRoutes } from './routes.ts';

export const handler = areaHandler(remediationRoutes, remediationHandlers);
