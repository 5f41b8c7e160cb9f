import { areaHandler } from '#shared/platform/http/area.ts';
import { scanCredentialHandlers } from './handlers.ts';
import { scanCredentialRoutes } from './routes.ts';

export const handler = areaHandler(scanCredentialRoutes, scanCredentialHandlers);
