import { areaHandler } from '#shared/platform/http/area.ts';
import { uploadHandlers } from './handlers.ts';
import { uploadRoutes } from './routes.ts';

export const handler = areaHandler(uploadRoutes, uploadHandlers);
