import type { Handlers } from '#shared/http/route.ts';
import { queueMaintenance } from './queue.ts';
import type { maintenanceRoutes } from './routes.ts';

export const maintenanceHandlers: Handlers<typeof maintenanceRoutes> = {
  startMaintenance: ({ connections, table, body }) => queueMaintenance(connections, table, body),
};
