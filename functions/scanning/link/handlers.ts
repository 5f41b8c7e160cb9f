import type { Handlers } from '#shared/platform/http/route.ts';
import { knownVersions } from '#shared/scanning/scanners/versions.ts';
import { linkMachine } from './link-machine.ts';
import { agentOf, apexOf, collectorOf, integratorOf, scannerOf } from './machines.ts';
import type { linkRoutes } from './routes.ts';

export const linkHandlers: Handlers<typeof linkRoutes> = {
  linkAgent: ({ connections, cause, body }) => linkMachine({ connections, cause }, body, agentOf(body)),
  linkLinuxAgent: ({ connections, cause, body }) => linkMachine({ connections, cause }, body, agentOf(body, 'linux')),
  linkMacosAgent: ({ connections, cause, body }) => linkMachine({ connections, cause }, body, agentOf(body, 'macos')),
  linkWindowsAgent: ({ connections, cause, body }) =>
    linkMachine({ connections, cause }, body, agentOf(body, 'windows')),
  linkApex: ({ connections, cause, body }) => linkMachine({ connections, cause }, body, apexOf(body)),
  linkCollector: ({ connections, cause, body }) => linkMachine({ connections, cause }, body, collectorOf(body)),
  linkIntegrator: ({ connections, cause, body }) => linkMachine({ connections, cause }, body, integratorOf(body)),
  linkScanner: ({ connections, cause, body, request }) =>
    linkMachine(
      { connections, cause },
      body,
      scannerOf(body, { remoteAddress: request.ip, versions: knownVersions(connections.settings) }),
    ),
};
