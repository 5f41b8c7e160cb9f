import { areaHandler } from '#shared/platform/http/area.ts';
import { signInHandlers } from './handlers.ts';
import { signInRoutes } from './routes.ts';

export const handler = areaHandler(signInRoutes, signInHandlers);
