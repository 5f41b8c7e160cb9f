import type { Handlers } from '#shared/http/route.ts';
import { knownVersions } from '#shared/scanning/scanner-versions.ts';
import { completeTasks } from './complete.ts';
import { poll } from './poll.ts';
import type { scannerCommunicationRoutes } from './routes.ts';

export const scannerCommunicationHandlers: Handlers<typeof scannerCommunicationRoutes> = {
  leaseScannerTasks: ({ ports, table, caller, body, request }) =>
    poll(table, { scannerId: caller.id, body, address: request.ip, versions: knownVersions(ports.settings) }),
  completeScannerTasks: ({ ports, table, caller, body }) =>
    completeTasks({ ports, table, scannerId: caller.id }, body.results),
};
