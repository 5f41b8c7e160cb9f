import { areaHandler } from '#shared/platform/http/area.ts';
import { findingUpdateHandlers } from './handlers.ts';
import { findingUpdateRoutes } from './routes.ts';

export const handler = areaHandler(findingUpdateRoutes, findingUpdateHandlers);
