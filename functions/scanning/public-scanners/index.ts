import { areaHandler } from '#shared/platform/http/area.ts';
import { publicScannerHandlers } from './handlers.ts';
import { publicScannerRoutes } from './routes.ts';

export const handler = areaHandler(publicScannerRoutes, publicScannerHandlers);
