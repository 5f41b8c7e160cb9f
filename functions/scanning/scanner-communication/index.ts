import { areaHandler } from '#shared/platform/http/area.ts';
import { scannerCommunicationHandlers } from './handlers.ts';
import { scannerCommunicationRoutes } from './routes.ts';

export const handler = areaHandler(scannerCommunicationRoutes, scannerCommunicationHandlers);
