import { areaHandler } from '#shared/platform/http/area.ts';
import { repositoryHandlers } from './handlers.ts';
import { repositoryRoutes } from './routes.ts';

export const handler = areaHandler(repositoryRoutes, repositoryHandlers);
