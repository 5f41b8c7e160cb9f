import type { Handlers } from '#shared/http/route.ts';
import { queueCopy, queueRestoration } from './copies.ts';
import { queueDeletion } from './delete-organization.ts';
import { queueMaintenance } from './queue.ts';
import type { maintenanceRoutes } from './routes.ts';

export const maintenanceHandlers: Handlers<typeof maintenanceRoutes> = {
  startMaintenance: ({ connections, table, body }) => queueMaintenance(connections, table, body),

  deleteOrganization: ({ connections, table, params, body }) =>
    queueDeletion(connections, table, { organizationId: params.id, name: body.name }),

  copyOrganization: ({ connections, table, params }) => queueCopy(connections, table, params.id),

  restoreOrganization: ({ connections, table, params, body }) =>
    queueRestoration(connections, table, { organizationId: params.id, ...body }),
};
