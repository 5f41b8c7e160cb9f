import type { Handlers } from '#shared/http/route.ts';
import { takeInventory } from './inventory.ts';
import type { integratorCommunicationRoutes } from './routes.ts';

export const integratorCommunicationHandlers: Handlers<typeof integratorCommunicationRoutes> = {
  sendInventory: ({ connections, table, caller, body }) =>
    takeInventory({ connections, table, machineId: caller.id }, body),
};
