import type { Handlers } from '#shared/http/route.ts';
import { queueTask } from '#shared/jobs/outbox.ts';
import type { maintenanceRoutes } from './routes.ts';

export const maintenanceHandlers: Handlers<typeof maintenanceRoutes> = {
  startMaintenance: ({ connections, table, body }) =>
    queueTask(connections, table, {
      operation: `maintenance_${body.work}`,
      job: 'maintenance',
      unit: 'collections',
      input: body,
      // The work of one organization runs in order: two repairs at once would report each other's changes.
      send: { group: table.organizationId },
    }),
};
