import { areaHandler } from '#shared/platform/http/area.ts';
import { scannerHandlers } from './handlers.ts';
import { scannerRoutes } from './routes.ts';

export const handler = areaHandler(scannerRoutes, scannerHandlers);
