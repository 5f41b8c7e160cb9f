import type { Bucket } from './bucket.ts';
import type { Settings } from './env.ts';
import type { Queues } from './jobs/queues.ts';
import type { Secrets } from './secrets.ts';
import type { Dynamo } from './table/client.ts';

/** Every side effect that a handler can have. Built once per process by `openPorts`. */
export type Ports = { settings: Settings; dynamo: Dynamo; queues: Queues; bucket: Bucket; secrets: Secrets };
