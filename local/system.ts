import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQSClient } from '@aws-sdk/client-sqs';
import { areas } from '#functions/contract.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { forgetConnections, openConnections } from '#shared/platform/runtime/connections.ts';
import type { Settings } from '#shared/platform/runtime/env.ts';
import { type Background, startBackground } from './background.ts';
import { ensureBucket } from './bucket-setup.ts';
import type { Pages } from './console.ts';
import { localKeys } from './credentials.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { startDynamoDb } from './dynamodb.ts';
import { setEnvironment } from './environment.ts';
import { type GatewayServer, startGateway } from './gateway.ts';
import { startObjectStore } from './object-store/server.ts';
import { writePrivate } from './private-file.ts';
import { ensureQueues, queueDeclarations } from './queue-setup.ts';
import { startQueues } from './queues.ts';
import { localArea } from './reference.ts';
import { ensureOwnSecrets, ensureSecrets } from './secrets.ts';
import { ensureTable } from './table-setup.ts';
import { startWorkersBeside } from './workers-beside.ts';

type SystemOptions = {
  /** 0 chooses a free port. */
  port: number;
  /** The directory of the data; without it the data is in memory and is lost at the end. */
  dataDir?: string;
  checkResponses?: boolean;
  /** In place of the local system's own; undefined: not set. */
  settings?: { [name in keyof Settings]?: string | undefined };
  /** false: the schedules do not run, for tests that compare the whole table. */
  schedules?: boolean;
  /** true: the workers are a process of their own, beside this one. */
  workersBeside?: boolean;
  /** The console, which may still be built; without it `/` leads to the API reference. */
  pages?: Promise<Pages | undefined>;
};

export type LocalSystem = { baseUrl: string; connections: Connections; stop(): Promise<void> };

const bucketName = 'exposure-reports';

/** Runs the whole service: the functions of Lambda on engines with the protocols of AWS. */
export async function startLocalSystem(options: SystemOptions): Promise<LocalSystem> {
  const { port, dataDir, checkResponses, settings, schedules = true, workersBeside, pages } = options;
  const directory = dataDir ?? mkdtempSync(join(tmpdir(), 'exposure-'));
  mkdirSync(directory, { recursive: true });
  const lock = lockDataDir(directory);
  // Several systems without a directory may share one engine (DYNAMODB_ENDPOINT).
  const tableName = dataDir ? 'exposure' : `exposure-${randomUUID()}`;
  const [engines, gateway] = await Promise.all([startEngines(directory, dataDir), startGateway(port)]);
  setEnvironment({
    ...settingsOf(directory, engines),
    TABLE_NAME: tableName,
    BASE_URL: gateway.baseUrl,
    SECRETS_FILE: await ensureSecrets(directory),
    CHECK_RESPONSES: checkResponses ? '1' : '0',
    ...settings,
  });
  const connections = openConnections();
  const queueClient = new SQSClient({ endpoint: engines.sqs.endpoint });
  const [queues] = await Promise.all([
    ensureQueues(queueClient, queueDeclarations()),
    ensureTable(connections.dynamo.client, tableName),
    ensureOwnSecrets(connections),
    connections.bucket.client().then((client) => ensureBucket(client, bucketName)),
  ]);
  const work = { queues, pollSeconds: engines.sqs.pollSeconds, schedules };
  const background = await (workersBeside ? startWorkersBeside(work, engines.sqs) : startBackground(work));
  gateway.serve(areas.map(localArea), await pages);
  // `npm run invoke` reads this file to run a function on this system.
  writePrivate(join(directory, 'settings.json'), { ...connections.settings, ...localKeys });
  const stop = async () => {
    await stopFrontFirst(gateway, background, engines);
    lock.release();
    if (!dataDir) rmSync(directory, { recursive: true, force: true });
  };
  return { baseUrl: gateway.baseUrl, connections, stop };
}

type Engines = Awaited<ReturnType<typeof startEngines>>;

async function startEngines(directory: string, dataDir: string | undefined) {
  const [dynamo, sqs, s3] = await Promise.all([
    startDynamoDb({ dataDir, logFile: join(directory, 'dynamodb.log') }),
    startQueues({ dataDir: dataDir && join(dataDir, 'queues') }),
    startObjectStore({ dataDir: dataDir && join(dataDir, 'objects') }),
  ]);
  return { dynamo, sqs, s3 };
}

const settingsOf = (directory: string, { dynamo, sqs, s3 }: Engines) => ({
  BUCKET_NAME: bucketName,
  QUEUE_URL_PREFIX: `${sqs.endpoint}/000000000000/`,
  TOKEN_ISSUER: 'urn:exposure:local',
  SIGNING_SECRET: 'signing-key',
  SEALING_SECRET: 'sealing-key',
  BILLING_SECRET: 'billing-secret',
  CHALLENGE_SECRET: 'challenge-secret',
  DYNAMODB_ENDPOINT: dynamo.endpoint,
  SQS_ENDPOINT: sqs.endpoint,
  S3_ENDPOINT: s3.endpoint,
  REFERENCE_DIR: join(directory, 'reference'),
  CODE_HOSTS_PRIVATE: '1',
  MAIL_FROM: 'exposure@localhost.example',
  MAIL_DIR: join(directory, 'mail'),
});

const END_POLLS_MS = 50;

async function stopFrontFirst(gateway: GatewayServer, background: Background, engines: Engines): Promise<void> {
  await gateway.stop();
  // a poller that has just begun a poll is released by the next round
  const ending = setInterval(engines.sqs.endPolls, END_POLLS_MS);
  await background.stop();
  clearInterval(ending);
  forgetConnections();
  await Promise.all(Object.values(engines).map((engine) => engine.stop()));
}
