import { areaHandler } from '#shared/http/area.ts';
import { scanCredentialHandlers } from './handlers.ts';
import { scanCredentialRoutes } from './routes.ts';

export const handler = areaHandler(scanCredentialRoutes, scanCredentialHandlers);
