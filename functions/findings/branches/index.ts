import { areaHandler } from '#shared/platform/http/area.ts';
import { branchHandlers } from './handlers.ts';
import { branchRoutes } from './routes.ts';

export const handler = areaHandler(branchRoutes, branchHandlers);
