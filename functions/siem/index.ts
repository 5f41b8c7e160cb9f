import { areaHandler } from '#shared/http/area.ts';
import { siemHandlers } from './handlers.ts';
import { siemRoutes } from './routes.ts';

export const handler = areaHandler(siemRoutes, siemHandlers);
