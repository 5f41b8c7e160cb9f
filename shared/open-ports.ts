import { openBucket } from './bucket.ts';
import { readSettings, type Settings } from './env.ts';
import { openQueues } from './jobs/queues.ts';
import type { Ports } from './ports.ts';
import { openSecrets } from './secrets.ts';
import { openDynamo } from './table/client.ts';

let opened: Ports | undefined;

/** The process's connections, made at the first request and kept. */
export function openPorts(): Ports {
  opened ??= makePorts(readSettings());
  return opened;
}

/** The next `openPorts` reads the environment anew: for a process that starts a second local system. */
export function forgetPorts(): void {
  opened?.dynamo.client.destroy();
  opened = undefined;
}

/** Connections for these settings; nothing is reached before its first use. */
export function makePorts(settings: Settings): Ports {
  return {
    settings,
    dynamo: openDynamo(settings.TABLE_NAME, settings.DYNAMODB_ENDPOINT ? { endpoint: settings.DYNAMODB_ENDPOINT } : {}),
    queues: openQueues(settings),
    bucket: openBucket(settings),
    secrets: openSecrets(settings),
  };
}
