import { areaHandler } from '#shared/platform/http/area.ts';
import { teamHandlers } from './handlers.ts';
import { teamRoutes } from './routes.ts';

export const handler = areaHandler(teamRoutes, teamHandlers);
