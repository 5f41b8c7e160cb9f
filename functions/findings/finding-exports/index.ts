import { areaHandler } from '#shared/platform/http/area.ts';
import { findingExportHandlers } from './handlers.ts';
import { findingExportRoutes } from './routes.ts';

export const handler = areaHandler(findingExportRoutes, findingExportHandlers);
