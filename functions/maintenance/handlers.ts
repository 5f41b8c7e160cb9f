import type { Handlers } from '#shared/http/route.ts';
import { queueDeletion } from './delete-organization.ts';
import { queueMaintenance } from './queue.ts';
import type { maintenanceRoutes } from './routes.ts';

export const maintenanceHandlers: Handlers<typeof maintenanceRoutes> = {
  startMaintenance: ({ connections, table, body }) => queueMaintenance(connections, table, body),

  deleteOrganization: ({ connections, table, params, body }) =>
    queueDeletion(connections, table, { organizationId: params.id, name: body.name }),
};
