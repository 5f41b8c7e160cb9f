import type { Handlers } from '#shared/http/route.ts';
import { queueTask } from '#shared/jobs/task.ts';
import type { maintenanceRoutes } from './routes.ts';

export const maintenanceHandlers: Handlers<typeof maintenanceRoutes> = {
  startMaintenance: ({ connections, table, body }) =>
    queueTask(connections, table, {
      operation: `maintenance_${body.work}`,
      job: 'maintenance',
      unit: 'collections',
      input: body,
      // One after the other within an organization: two repairs would only see each other's work.
      send: { group: table.organizationId },
    }),
};
