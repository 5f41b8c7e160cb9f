import { areaHandler } from '#shared/platform/http/area.ts';
import { linkHandlers } from './handlers.ts';
import { linkRoutes } from './routes.ts';

export const handler = areaHandler(linkRoutes, linkHandlers);
