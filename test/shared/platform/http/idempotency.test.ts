import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, onTestFinished, test, vi } from 'vitest';
import { importRoutes } from '#functions/ingest/import/routes.ts';
import { lambdaContext } from '#local/lambda-context.ts';
import { jsonAnswer } from '#shared/platform/http/answers.ts';
import { idempotency } from '#shared/platform/http/idempotency.ts';
import type { Incoming, Result } from '#shared/platform/http/incoming.ts';
import { log } from '#shared/platform/runtime/log.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { startSystem } from '../../../support/system.ts';

const system = startSystem();
const route = importRoutes.importFindings;
const gatewayEvent = {
  rawPath: route.path,
  rawQueryString: '',
  requestContext: { requestId: 'r', http: { method: 'POST' } },
} as APIGatewayProxyEventV2;

type Attempt = { table: Table; key: string };

/** The body that the caller receives. */
async function withIdempotency({ table, key }: Attempt, respond: () => Promise<unknown>): Promise<unknown> {
  const event: Incoming = {
    ...gatewayEvent,
    headers: { 'idempotency-key': key },
    match: { name: 'importFindings', route, params: {} },
    sent: '{}',
    table,
  };
  const answered = middy<Incoming, Result>()
    .use(idempotency)
    .handler(async ({ repeated }) => repeated ?? jsonAnswer(200, await respond(), 'r'));
  const { body } = await answered(event, lambdaContext('test', 29));
  return JSON.parse(body ?? '');
}

test('a request that is repeated with its key has the same answer, and is carried out once', async () => {
  const { table } = await system.newOrganization();
  const respond = vi.fn(async () => ({ made: 1 }));
  const attempt = { table, key: 'again' };
  for (const _ of [1, 2]) expect(await withIdempotency(attempt, respond)).toEqual({ made: 1 });
  expect(respond).toHaveBeenCalledOnce();
});

test('a request that failed says why, also when its claim cannot be removed', async () => {
  const { table } = await system.newOrganization();
  const rows = ((kind: never) => ({
    ...table.rows(kind),
    remove: () => Promise.reject(new Error('throttled')),
  })) as unknown as Table['rows'];
  const errors = vi.spyOn(log, 'error').mockImplementation(() => undefined);
  onTestFinished(() => errors.mockRestore());
  const failing = withIdempotency({ table: { ...table, rows }, key: 'failed' }, () =>
    Promise.reject(new Error('first')),
  );
  await expect(failing).rejects.toThrow('first');
  expect(errors).toHaveBeenCalledOnce();
});

test('a request whose answer is too large to store is answered and not carried out twice', async () => {
  const { table } = await system.newOrganization();
  const respond = vi.fn(async () => ({ text: '語'.repeat(200_000) }));
  const attempt = { table, key: 'large' };
  expect(await withIdempotency(attempt, respond)).toEqual(await respond.mock.results[0]?.value);
  await expect(withIdempotency(attempt, respond)).rejects.toMatchObject({ code: 'conflict' });
  expect(respond).toHaveBeenCalledOnce();
});

test('only one of two requests that arrive while an attempt fails is carried out', async () => {
  const { table } = await system.newOrganization();
  const attempt = { table, key: 'twice' };
  const respond = vi.fn(async () => ({}));
  const [started, failed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const failing = withIdempotency(attempt, () => {
    started.resolve();
    return failed.promise;
  }).catch(() => undefined);
  await started.promise;
  /** The late request finds the failed attempt removed, and the other request arrives before it continues. */
  const rows = ((kind: never) => ({
    ...table.rows(kind),
    async find() {
      failed.reject(new Error('failed'));
      await failing;
      await withIdempotency(attempt, respond);
      return undefined;
    },
  })) as unknown as Table['rows'];
  const late = withIdempotency({ ...attempt, table: { ...table, rows } }, respond);
  await expect(late).rejects.toMatchObject({ code: 'conflict' });
  expect(respond).toHaveBeenCalledOnce();
});

test('a request whose answer cannot be stored is answered and not carried out again at once', async () => {
  const { table } = await system.newOrganization();
  let puts = 0;
  /** The second write stores the answer. */
  const rows = ((kind: never) => ({
    ...table.rows(kind),
    put: (...args: [never, never]) =>
      ++puts === 2 ? Promise.reject(new Error('throttled')) : table.rows(kind).put(...args),
  })) as unknown as Table['rows'];
  const respond = vi.fn(async () => ({ made: 1 }));
  const errors = vi.spyOn(log, 'error').mockImplementation(() => undefined);
  onTestFinished(() => errors.mockRestore());
  const attempt = { table, key: 'lost' };
  expect(await withIdempotency({ ...attempt, table: { ...table, rows } }, respond)).toEqual({ made: 1 });
  await expect(withIdempotency(attempt, respond)).rejects.toMatchObject({ code: 'conflict' });
  expect(respond).toHaveBeenCalledOnce();
  expect(errors).toHaveBeenCalledOnce();
});
