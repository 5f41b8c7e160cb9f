import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { packFunctions } from '#infra/bundle/pack.ts';
import { type Service, service } from '#infra/service.ts';
import { localCredentials, localRegion } from '#local/credentials.ts';
import { lambdaContext } from '#local/lambda-context.ts';
import { ensureQueues, queueDeclarations } from '#local/queue-setup.ts';
import { startQueues } from '#local/queues.ts';
import { isReceived, sqsRecord } from '#local/sqs-event.ts';
import { createOrganization } from '#shared/credentials/bootstrap.ts';
import { startWorld } from '../functions/workers/imports/world.ts';

/** The functions that a report passes. */
const passed: Service = {
  areas: service.areas.filter(({ name }) => ['import', 'findings'].includes(name)),
  workers: service.workers.filter(({ job }) => job === 'ingest'),
  schedules: [],
};

const directory = mkdtempSync(join(tmpdir(), 'deployed-'));
const world = await startWorld();
const queues = await startQueues({});
afterAll(async () => {
  await world.stop();
  await queues.stop();
  rmSync(directory, { recursive: true });
});

beforeAll(async () => {
  Object.assign(process.env, { SQS_ENDPOINT: queues.endpoint, QUEUE_URL_PREFIX: `${queues.endpoint}/000000000000/` });
  await packFunctions(passed, directory);
});

const Handler = z.object({ handler: z.custom<(event: unknown, context: unknown) => Promise<unknown>>() });

/** Runs a packed function as Lambda does: its file alone, with what lies beside it. */
function invoke(name: string, event: unknown): Promise<unknown> {
  const load = createRequire(join(directory, 'functions', name, 'index.js'));
  return Handler.parse(load('./index.js')).handler(event, lambdaContext(name, 300));
}

const Answer = z.object({ statusCode: z.number(), body: z.string() });

type Sent = { method: string; path: string; apiKey: string; body?: string };

/** A request as API Gateway hands it to the function of an area. */
async function request(area: string, { method, path, apiKey, body }: Sent): Promise<Record<string, unknown>> {
  const sample = JSON.parse(readFileSync(`events/${area}.json`, 'utf8'));
  const { http, ...context } = sample.requestContext;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
  const requestContext = { ...context, http: { ...http, method, path } };
  const answer = await invoke(area, { ...sample, rawPath: path, requestContext, headers, body });
  const { statusCode, body: text } = Answer.parse(answer);
  expect([statusCode, text]).toEqual([200, text]);
  return JSON.parse(text);
}

test('a report goes through the packed functions: from the request over the queue to the list of findings', async () => {
  const { apiKey } = await createOrganization(world.connections, 'Acme');
  const client = new SQSClient({ endpoint: queues.endpoint, region: localRegion, credentials: localCredentials });
  const [queue] = await ensureQueues(
    client,
    queueDeclarations().filter(({ name }) => name === 'ingest'),
  );
  const { taskId } = await request('import', {
    method: 'POST',
    path: '/api/v1/findings/import',
    apiKey,
    body: readFileSync('events/import-sarif.json', 'utf8'),
  });
  const received = await client.send(
    new ReceiveMessageCommand({ QueueUrl: queue?.url, WaitTimeSeconds: 5, MessageSystemAttributeNames: ['All'] }),
  );
  const Records = (received.Messages ?? []).filter(isReceived).map((message) => sqsRecord(message, queue?.arn ?? ''));
  expect(Records.map(({ body }) => JSON.parse(body))).toMatchObject([{ taskId }]);
  expect(await invoke('ingest-worker', { Records })).toEqual({ batchItemFailures: [] });
  const { totalCount } = await request('findings', { method: 'GET', path: '/api/v1/findings', apiKey });
  expect(totalCount).toBeGreaterThan(0);
  client.destroy();
});
