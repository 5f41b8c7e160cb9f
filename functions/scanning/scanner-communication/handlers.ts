import type { Handlers } from '#shared/platform/http/route.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { knownVersions } from '#shared/scanning/scanners/versions.ts';
import { completeAsScanner } from './complete.ts';
import { pollAsScanner } from './poll.ts';
import type { scannerCommunicationRoutes } from './routes.ts';

export const scannerCommunicationHandlers: Handlers<typeof scannerCommunicationRoutes> = {
  leaseScannerTasks: ({ connections, table, caller, body, request }) =>
    pollAsScanner(table, {
      machineId: caller.id,
      body,
      address: request.ip,
      versions: knownVersions(connections.settings),
    }),
  completeScannerTasks({ connections, table, caller, body: { results } }) {
    if (!results) throw invalid('results', 'is required: the ended tasks');
    return completeAsScanner({ connections, table, machineId: caller.id }, results);
  },
};
