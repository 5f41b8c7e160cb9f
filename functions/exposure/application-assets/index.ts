import { areaHandler } from '#shared/platform/http/area.ts';
import { applicationAssetHandlers } from './handlers.ts';
import { applicationAssetRoutes } from './routes.ts';

export const handler = areaHandler(applicationAssetRoutes, applicationAssetHandlers);
