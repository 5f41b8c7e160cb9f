import { areaHandler } from '#shared/platform/http/area.ts';
import { slaPolicyHandlers } from './handlers.ts';
import { slaPolicyRoutes } from './routes.ts';

export const handler = areaHandler(slaPolicyRoutes, slaPolicyHandlers);
