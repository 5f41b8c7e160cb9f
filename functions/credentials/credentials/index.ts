import { areaHandler } from '#shared/platform/http/area.ts';
import { credentialHandlers } from './handlers.ts';
import { credentialRoutes } from './routes.ts';

export const handler = areaHandler(credentialRoutes, credentialHandlers);
