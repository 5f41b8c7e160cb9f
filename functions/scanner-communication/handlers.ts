import type { Handlers } from '#shared/http/route.ts';
import { knownVersions } from '#shared/scanners/versions.ts';
import { completeTasks } from './complete.ts';
import { poll } from './poll.ts';
import type { scannerCommunicationRoutes } from './routes.ts';

export const scannerCommunicationHandlers: Handlers<typeof scannerCommunicationRoutes> = {
  leaseScannerTasks: ({ connections, table, caller, body, request }) =>
    poll(table, { scannerId: caller.id, body, address: request.ip, versions: knownVersions(connections.settings) }),
  completeScannerTasks: ({ connections, table, caller, body }) =>
    completeTasks({ connections, table, scannerId: caller.id }, body.results),
};
