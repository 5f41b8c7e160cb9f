import type { Handlers } from '#shared/http/route.ts';
import type { Ports } from '#shared/ports.ts';
import { VERSION } from '#shared/version.ts';
import { checkDependencies } from './checks.ts';
import type { Status, statusRoutes } from './routes.ts';

async function readStatus(ports: Ports): Promise<Status> {
  const checks = await checkDependencies(ports);
  const status = checks.every((check) => check.status === 'ok') ? 'ok' : 'degraded';
  return { status, version: VERSION, checks };
}

export const statusHandlers: Handlers<typeof statusRoutes> = {
  getUnversionedStatus: ({ ports }) => readStatus(ports),
  getStatus: ({ ports }) => readStatus(ports),
};
