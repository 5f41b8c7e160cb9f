import { areaHandler } from '#shared/platform/http/area.ts';
import { findingHandlers } from './handlers.ts';
import { findingRoutes } from './routes.ts';

export const handler = areaHandler(findingRoutes, findingHandlers);
