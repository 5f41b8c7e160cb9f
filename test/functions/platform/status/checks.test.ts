import { expect, test } from 'vitest';
import { statusHandlers } from '#functions/platform/status/handlers.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { makeConnections } from '#shared/platform/runtime/connections.ts';

const settings = {
  TABLE_NAME: 'exposure',
  BUCKET_NAME: 'reports',
  QUEUE_URL_PREFIX: 'http://127.0.0.1:9/',
  TOKEN_ISSUER: 'urn:test',
  SIGNING_SECRET: 'key',
  SEALING_SECRET: 'seal',
  BILLING_SECRET: 'billing',
  CHALLENGE_SECRET: 'challenge',
  BASE_URL: 'http://127.0.0.1:9',
  REFERENCE_DIR: '.',
  CHECK_RESPONSES: '0',
} as const;

type Answers = { table?: () => Promise<unknown>; queues?: () => Promise<number>; bucket?: () => Promise<undefined> };

/** Connections whose table, queues and bucket answer as told. */
function connections({
  table = async () => ({}),
  queues = async () => 0,
  bucket = async () => undefined,
}: Answers): Connections {
  const real = makeConnections(settings);
  return {
    ...real,
    dynamo: { tableName: 'exposure', client: { send: table } as never },
    queues: { ...real.queues, countInFlight: queues },
    bucket: { ...real.bucket, size: bucket },
  };
}

const read = (answers: Answers) => statusHandlers.getStatus({ connections: connections(answers) } as never);
const refuse = async () => Promise.reject(new Error('connection refused'));
const never = () => new Promise<never>(() => undefined);

test.each([
  ['the table fails', { table: refuse }, ['failing', 'ok', 'ok']],
  ['a queue fails', { queues: refuse }, ['ok', 'failing', 'ok']],
  ['the bucket fails', { bucket: refuse }, ['ok', 'ok', 'failing']],
  ['the table never answers', { table: never }, ['failing', 'ok', 'ok']],
])('an operator is told that %s', async (_, answers, expected) => {
  const { status, checks } = await read(answers);
  expect({ status, checks: checks.map((check) => check.status) }).toEqual({ status: 'degraded', checks: expected });
});

test('many monitors cost as much as one, because a check is kept', async () => {
  let reads = 0;
  const counted = connections({ table: async () => ({ n: ++reads }) });
  for (let n = 0; n < 10; n++) await statusHandlers.getStatus({ connections: counted } as never);
  expect(reads).toBe(1);
});
