import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context, SQSEvent } from 'aws-lambda';

import { ensureBucket } from '#local/bucket-setup.ts';
import { localCredentials, localRegion } from '#local/credentials.ts';
import { startDynamoDb } from '#local/dynamodb.ts';
import { startObjectStore } from '#local/object-store/server.ts';
import { ensureSecrets } from '#local/secrets.ts';
import { ensureTable } from '#local/table-setup.ts';
import { acceptReport } from '#shared/ingest/accept.ts';
import type { Submission } from '#shared/ingest/submission.ts';
import { ensureSealingKey } from '#shared/platform/crypto/sealing-key.ts';
import { jobs, queueName } from '#shared/platform/jobs/jobs.ts';
import { type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import type { WorkerHandler } from '#shared/platform/jobs/worker.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { forgetConnections, openConnections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { withShortWay } from '../../../support/short-way.ts';

export type Message = { id: string; queue: string; group: string; body: string; received: number };

/** A message that is redriven is a new one. */
export const redriven = () => ({ id: newId(), received: 0 });

/** The worker of each queue, loaded at its first message: most tests need one of them. */
const workers: Record<string, () => Promise<{ handler: WorkerHandler }>> = {
  [queueName(jobs.exports)]: () => import('#functions/workers/exports/index.ts'),
  [queueName(jobs.ingest)]: () => import('#functions/workers/ingest/index.ts'),
  [queueName(jobs.maintenance)]: () => import('#functions/workers/maintenance/index.ts'),
  [queueName(jobs.engagements)]: () => import('#functions/workers/engagements/index.ts'),
  [queueName(jobs.apex)]: () => import('#functions/workers/apex/index.ts'),
  [queueName(jobs.siem)]: () => import('#functions/workers/siem/index.ts'),
  [queueName(jobs.ticketing)]: () => import('#functions/workers/ticketing/index.ts'),
  [queueName(jobs.views)]: () => import('#functions/workers/views/index.ts'),
  [queueName(jobs.webhooks)]: () => import('#functions/workers/webhooks/index.ts'),
  [queueName(jobs.hosts)]: () => import('#functions/workers/hosts/index.ts'),
  [queueName(jobs.billing)]: () => import('#functions/workers/billing/index.ts'),
};

/** The workers over real engines, with queues that a test holds in its hand. */
export type World = {
  connections: Connections;
  /** Messages in the order in which they were sent. */
  messages: Message[];
  newOrganization(): Table;
  /** Accepts a report and leaves its message in the queue. */
  accept(table: Table, submission: Submission): Promise<string>;
  /** Delivers one message; what fails goes back to the front of the queue. @returns whether it succeeded */
  deliver(message?: Message): Promise<boolean>;
  /** Delivers until nothing is left. */
  drain(): Promise<void>;
  /** Accepts, drains and gives the finished task. */
  ingest(table: Table, submission: Submission): Promise<TaskRow>;
  task(table: Table, id: string): Promise<TaskRow>;
  stop(): Promise<void>;
};

export async function startWorld(): Promise<World> {
  const [dynamo, objects] = await Promise.all([
    startDynamoDb({ logFile: join(tmpdir(), `ingest-${process.pid}.log`) }),
    startObjectStore({}),
  ]);
  const directory = mkdtempSync(join(tmpdir(), 'ingest-'));
  const SECRETS_FILE = await ensureSecrets(directory);
  setEnvironment({
    DYNAMODB_ENDPOINT: dynamo.endpoint,
    S3_ENDPOINT: objects.endpoint,
    SECRETS_FILE,
    MAIL_DIR: join(directory, 'mail'),
  });
  forgetConnections();
  const connections = openConnections();
  withShortWay(connections.dynamo);
  await ensureTable(connections.dynamo.client, 'ingest');
  await ensureBucket(await connections.bucket.client(), 'ingest');
  await ensureSealingKey(connections);
  const stop = async () => {
    forgetConnections();
    await Promise.all([dynamo.stop(), objects.stop()]);
    rmSync(directory, { recursive: true });
  };
  return { ...makeWorld(connections), stop };
}

function setEnvironment(endpoints: Record<string, string>): void {
  Object.assign(process.env, {
    ...endpoints,
    TABLE_NAME: 'ingest',
    BUCKET_NAME: 'ingest',
    QUEUE_URL_PREFIX: 'http://127.0.0.1:9/',
    TOKEN_ISSUER: 'urn:test',
    SIGNING_SECRET: 'none',
    SEALING_SECRET: 'sealing-key',
    BILLING_SECRET: 'billing-secret',
    CHALLENGE_SECRET: 'challenge-secret',
    CHECK_RESPONSES: '1',
    MAIL_FROM: 'exposure@example.org',
    BASE_URL: 'http://127.0.0.1:9',
    AWS_REGION: localRegion,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  });
}

function makeWorld(connections: Connections): Omit<World, 'stop'> {
  const messages: Message[] = [];
  const sent = new Set<string>();
  connections.queues.send = async (queue, message, { group, deduplicationId }) => {
    if (queue === queueName(jobs.views) && !('taskId' in message)) return; // tests of views call them themselves
    const once = `${queue} ${group} ${deduplicationId}`;
    if (sent.has(once)) return;
    sent.add(once);
    messages.push({ id: newId(), queue, group, body: JSON.stringify(message), received: 0 });
  };
  connections.queues.returnIn = async () => undefined;
  const world: Omit<World, 'stop'> = {
    connections,
    messages,
    newOrganization: () => openTable(connections.dynamo, newId()),
    accept: async (table, submission) => (await acceptReport({ connections, table }, submission)).taskId,
    async deliver(message = messages.shift()) {
      if (!message) return true;
      message.received += 1;
      const load = workers[message.queue];
      if (!load) throw new Error(`no worker of ${message.queue}`);
      const { handler } = await load();
      const { batchItemFailures } = await handler(eventOf(message), {} as Context);
      if (batchItemFailures.length > 0) messages.unshift(message);
      return batchItemFailures.length === 0;
    },
    async drain() {
      while (messages.length > 0)
        if (!(await world.deliver()) && (messages[0]?.received ?? 0) >= 5) throw new Error('a message never succeeds');
    },
    async ingest(table, submission) {
      const id = await world.accept(table, submission);
      await world.drain();
      return world.task(table, id);
    },
    async task(table, id) {
      const task = await table.rows(taskRows).find({ id }, true);
      if (!task) throw new Error(`there is no task ${id}`);
      return task;
    },
  };
  return world;
}

const eventOf = ({ id, group, body, received }: Message) =>
  ({
    Records: [
      {
        messageId: id,
        body,
        attributes: { MessageGroupId: group, ApproximateReceiveCount: String(received) },
      },
    ],
  }) as unknown as SQSEvent;
