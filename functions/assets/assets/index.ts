import { areaHandler } from '#shared/platform/http/area.ts';
import { assetHandlers } from './handlers.ts';
import { assetRoutes } from './routes.ts';

export const handler = areaHandler(assetRoutes, assetHandlers);
