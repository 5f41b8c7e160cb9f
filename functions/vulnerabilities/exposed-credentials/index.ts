import { areaHandler } from '#shared/platform/http/area.ts';
import { exposedCredentialHandlers } from './handlers.ts';
import { exposedCredentialRoutes } from './routes.ts';

export const handler = areaHandler(exposedCredentialRoutes, exposedCredentialHandlers);
