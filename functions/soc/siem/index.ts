import { areaHandler } from '#shared/platform/http/area.ts';
import { siemHandlers } from './handlers.ts';
import { siemRoutes } from './routes.ts';

export const handler = areaHandler(siemRoutes, siemHandlers);
