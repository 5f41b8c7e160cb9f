import { areaHandler } from '#shared/platform/http/area.ts';
import { importHandlers } from './handlers.ts';
import { importRoutes } from './routes.ts';

export const handler = areaHandler(importRoutes, importHandlers);
