import { areaHandler } from '#shared/http/area.ts';
import { publicScannerHandlers } from './handlers.ts';
import { publicScannerRoutes } from './routes.ts';

export const handler = areaHandler(publicScannerRoutes, publicScannerHandlers);
