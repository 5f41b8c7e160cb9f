import { areaHandler } from '#shared/platform/http/area.ts';
import { intakeHandlers } from './handlers.ts';
import { intakeRoutes } from './routes.ts';

export const handler = areaHandler(intakeRoutes, intakeHandlers);
