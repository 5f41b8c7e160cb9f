import type { Handlers } from '#shared/http/route.ts';
import { knownVersions } from '#shared/scanners/versions.ts';
import { linkMachine } from './link-machine.ts';
import { agentOf, apexOf, collectorOf, integratorOf, scannerOf } from './machines.ts';
import type { linkRoutes } from './routes.ts';

export const linkHandlers: Handlers<typeof linkRoutes> = {
  linkAgent: ({ connections, body }) => linkMachine(connections, body, agentOf(body)),
  linkLinuxAgent: ({ connections, body }) => linkMachine(connections, body, agentOf(body, 'linux')),
  linkMacosAgent: ({ connections, body }) => linkMachine(connections, body, agentOf(body, 'macos')),
  linkWindowsAgent: ({ connections, body }) => linkMachine(connections, body, agentOf(body, 'windows')),
  linkApex: ({ connections, body }) => linkMachine(connections, body, apexOf(body)),
  linkCollector: ({ connections, body }) => linkMachine(connections, body, collectorOf(body)),
  linkIntegrator: ({ connections, body }) => linkMachine(connections, body, integratorOf(body)),
  linkScanner: ({ connections, body, request }) =>
    linkMachine(
      connections,
      body,
      scannerOf(body, { remoteAddress: request.ip, versions: knownVersions(connections.settings) }),
    ),
};
