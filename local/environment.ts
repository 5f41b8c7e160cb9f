import type { LogLevel } from '@aws-lambda-powertools/logger/types';
import { log } from '#shared/platform/runtime/log.ts';
import { type LocalKeys, localKeys, localRegion } from './credentials.ts';

/**
 * The functions read their settings from the environment, here and on Lambda. `keys`: the keys of a system in another
 * process.
 */
export function setEnvironment(settings: Record<string, string | undefined>, keys: LocalKeys = localKeys): void {
  for (const [name, value] of Object.entries(settings)) if (value === undefined) delete process.env[name];
  Object.assign(process.env, JSON.parse(JSON.stringify(settings)), { AWS_REGION: localRegion }, keys);
  process.env.POWERTOOLS_LOG_LEVEL ??= 'WARN'; // also for the process of the workers
  // the logger exists already: the system's imports have loaded it
  log.setLogLevel(process.env.POWERTOOLS_LOG_LEVEL as LogLevel);
}
