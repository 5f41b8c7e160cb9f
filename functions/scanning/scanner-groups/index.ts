import { areaHandler } from '#shared/platform/http/area.ts';
import { scannerGroupHandlers } from './handlers.ts';
import { scannerGroupRoutes } from './routes.ts';

export const handler = areaHandler(scannerGroupRoutes, scannerGroupHandlers);
