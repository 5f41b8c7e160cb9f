import type { LogLevel } from '@aws-lambda-powertools/logger/types';
import { localCredentials, localRegion } from '#local/credentials.ts';
import { log } from '#shared/runtime/log.ts';

/** The functions read their settings from the environment, here and on Lambda. */
export function setEnvironment(settings: Record<string, string | undefined>): void {
  Object.assign(process.env, settings, {
    AWS_REGION: localRegion,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  });
  // the logger exists already: what the system imports has loaded it
  log.setLogLevel((process.env.POWERTOOLS_LOG_LEVEL ?? 'WARN') as LogLevel);
}
