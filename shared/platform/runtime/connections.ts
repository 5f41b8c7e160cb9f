import { type Bucket, openBucket } from './bucket.ts';
import { type Dynamo, openDynamo } from './dynamo.ts';
import { readSettings, type Settings } from './env.ts';
import type { Network } from './network.ts';
import { openQueues, type Queues } from './queues.ts';
import { openSecrets, type Secrets } from './secrets.ts';

/** Everything outside the process that a handler can reach. `openConnections` makes it once per process. */
export type Connections = {
  settings: Settings;
  dynamo: Dynamo;
  queues: Queues;
  bucket: Bucket;
  secrets: Secrets;
  /** Made at the first request to another host: most functions send none. */
  network?: Network;
};

let opened: Connections | undefined;

/** The connections of the process, made at the first request and kept. */
export function openConnections(): Connections {
  opened ??= makeConnections(readSettings());
  return opened;
}

/** Makes the next `openConnections` read the environment again, for a process that starts a second local system. */
export function forgetConnections(): void {
  opened?.dynamo.client.destroy();
  opened = undefined;
}

/** Connections for these settings; each connects at its first use. */
export function makeConnections(settings: Settings): Connections {
  return {
    settings,
    dynamo: openDynamo(settings.TABLE_NAME, settings.DYNAMODB_ENDPOINT ? { endpoint: settings.DYNAMODB_ENDPOINT } : {}),
    queues: openQueues(settings),
    bucket: openBucket(settings),
    secrets: openSecrets(settings),
  };
}
