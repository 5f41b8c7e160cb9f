import { areaHandler } from '#shared/platform/http/area.ts';
import { taskHandlers } from './handlers.ts';
import { taskRoutes } from './routes.ts';

export const handler = areaHandler(taskRoutes, taskHandlers);
