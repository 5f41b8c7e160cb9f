import { areaHandler } from '#shared/platform/http/area.ts';
import { referenceHandlers } from './handlers.ts';
import { referenceRoutes } from './routes.ts';

export const handler = areaHandler(referenceRoutes, referenceHandlers);
