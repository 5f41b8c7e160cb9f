import { areaHandler } from '#shared/platform/http/area.ts';
import { publicScannerGroupHandlers } from './handlers.ts';
import { publicScannerGroupRoutes } from './routes.ts';

export const handler = areaHandler(publicScannerGroupRoutes, publicScannerGroupHandlers);
