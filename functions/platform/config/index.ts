import { areaHandler } from '#shared/platform/http/area.ts';
import { configHandlers } from './handlers.ts';
import { configRoutes } from './routes.ts';

export const handler = areaHandler(configRoutes, configHandlers);
