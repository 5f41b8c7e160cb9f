import type { Handlers } from '#shared/http/route.ts';
import { knownVersions } from '#shared/scanning/scanner-versions.ts';
import { linkMachine } from './link-machine.ts';
import { agentOf, apexOf, collectorOf, integratorOf, scannerOf } from './machines.ts';
import type { linkRoutes } from './routes.ts';

export const linkHandlers: Handlers<typeof linkRoutes> = {
  linkAgent: ({ ports, body }) => linkMachine(ports, body, agentOf(body)),
  linkLinuxAgent: ({ ports, body }) => linkMachine(ports, body, agentOf(body, 'linux')),
  linkMacosAgent: ({ ports, body }) => linkMachine(ports, body, agentOf(body, 'macos')),
  linkWindowsAgent: ({ ports, body }) => linkMachine(ports, body, agentOf(body, 'windows')),
  linkApex: ({ ports, body }) => linkMachine(ports, body, apexOf(body)),
  linkCollector: ({ ports, body }) => linkMachine(ports, body, collectorOf(body)),
  linkIntegrator: ({ ports, body }) => linkMachine(ports, body, integratorOf(body)),
  linkScanner: ({ ports, body, request }) =>
    linkMachine(ports, body, scannerOf(body, { remoteAddress: request.ip, versions: knownVersions(ports.settings) })),
};
