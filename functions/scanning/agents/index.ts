import { areaHandler } from '#shared/platform/http/area.ts';
import { agentHandlers } from './handlers.ts';
import { agentRoutes } from './routes.ts';

export const handler = areaHandler(agentRoutes, agentHandlers);
