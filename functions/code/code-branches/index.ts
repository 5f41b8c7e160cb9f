import { areaHandler } from '#shared/platform/http/area.ts';
import { codeBranchHandlers } from './handlers.ts';
import { codeBranchRoutes } from './routes.ts';

export const handler = areaHandler(codeBranchRoutes, codeBranchHandlers);
