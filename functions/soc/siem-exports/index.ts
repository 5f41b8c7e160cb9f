import { areaHandler } from '#shared/platform/http/area.ts';
import { siemExportHandlers } from './handlers.ts';
import { siemExportRoutes } from './routes.ts';

export const handler = areaHandler(siemExportRoutes, siemExportHandlers);
