import { areaHandler } from '#shared/platform/http/area.ts';
import { previewHandlers } from './handlers.ts';
import { previewRoutes } from './routes.ts';

export const handler = areaHandler(previewRoutes, previewHandlers);
