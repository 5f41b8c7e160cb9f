import { areaHandler } from '#shared/platform/http/area.ts';
import { assetExposureHandlers } from './handlers.ts';
import { assetExposureRoutes } from './routes.ts';

export const handler = areaHandler(assetExposureRoutes, assetExposureHandlers);
