import { queueMany } from '#shared/findings/many/queue.ts';
import type { Handlers } from '#shared/http/route.ts';
import { queueTask } from '#shared/jobs/outbox.ts';
import type { maintenanceRoutes } from './routes.ts';

export const maintenanceHandlers: Handlers<typeof maintenanceRoutes> = {
  startMaintenance: ({ connections, table, body: { work, repair } }) => {
    if (work === 'respell') return queueMany(connections, table, { operation: 'respell_repositories', input: {} });
    return queueTask(connections, table, {
      operation: `maintenance_${work}`,
      job: 'maintenance',
      unit: 'collections',
      input: { work, repair },
      // The work of one organization runs in order: two repairs at once would report each other's changes.
      send: { group: table.organizationId },
    });
  },
};
