import type { Handlers } from '#shared/platform/http/route.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { VERSION } from '#shared/platform/runtime/version.ts';
import { checkDependencies } from './checks.ts';
import type { Status, statusRoutes } from './routes.ts';

async function readStatus(connections: Connections): Promise<Status> {
  const checks = await checkDependencies(connections);
  const status = checks.every((check) => check.status === 'ok') ? 'ok' : 'degraded';
  return { status, version: VERSION, checks };
}

export const statusHandlers: Handlers<typeof statusRoutes> = {
  getUnversionedStatus: ({ connections }) => readStatus(connections),
  getStatus: ({ connections }) => readStatus(connections),
};
