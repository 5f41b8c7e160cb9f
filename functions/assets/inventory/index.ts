import { areaHandler } from '#shared/platform/http/area.ts';
import { inventoryHandlers } from './handlers.ts';
import { inventoryRoutes } from './routes.ts';

export const handler = areaHandler(inventoryRoutes, inventoryHandlers);
