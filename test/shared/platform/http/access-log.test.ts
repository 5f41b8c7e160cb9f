import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { lambdaContext } from '#local/lambda-context.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { accessLog } from '#shared/platform/http/access-log.ts';
import type { Arrived, Result } from '#shared/platform/http/incoming.ts';
import type { Route } from '#shared/platform/http/route.ts';
import { forgetConnections } from '#shared/platform/runtime/connections.ts';
import { log } from '#shared/platform/runtime/log.ts';

const list: Route = { method: 'GET', path: '/things/{id}', summary: '-', access: 'public', response: z.object({}) };
const poll: Route = { ...list, method: 'POST', poll: true };

const event = {
  rawPath: '/things/7',
  rawQueryString: 'search=confidential',
  requestContext: { requestId: 'r', http: { method: 'GET', sourceIp: '192.0.2.1' } },
} as APIGatewayProxyEventV2;

const caller: Caller = { id: 'k', name: 'CI', organizationId: 'o', kind: 'api_key', scopes: [] };

const answered = (request: Arrived, answer: Result) =>
  middy<Arrived, Result>()
    .use(accessLog)
    .handler(async () => answer)(request, lambdaContext('test', 29));

/** The lines in the log of one request with this answer. */
async function logged(route: Route | undefined, statusCode: number, body: object): Promise<unknown[][]> {
  const lines = vi.spyOn(log, 'info').mockImplementation(() => undefined);
  onTestFinished(() => lines.mockRestore());
  const match = route && { name: 'list', route, params: {} };
  await answered({ ...event, match, caller }, { statusCode, body: JSON.stringify(body) });
  return lines.mock.calls;
}

test('an operator finds caller, operation and outcome of each request in the log, and nothing confidential', async () => {
  expect(await logged(list, 200, { secret: 'shown once' })).toEqual([
    [
      'request',
      {
        requestId: 'r',
        method: 'GET',
        path: '/things/7',
        route: '/things/{id}',
        statusCode: 200,
        milliseconds: expect.any(Number),
        ip: '192.0.2.1',
        organizationId: 'o',
        caller: { kind: 'api_key', id: 'k' },
      },
    ],
  ]);
});

test('a poll without work leaves no line, so that idle scanners do not fill the log', async () => {
  expect(await logged(poll, 200, { tasks: [], cancel: [], lost: [], pollAfterSeconds: 90 })).toEqual([]);
});

test.each([
  ['brought a task', 200, { tasks: [{ id: 't' }], cancel: [] }],
  ['stopped a task', 200, { tasks: [], cancel: [{ taskId: 't' }] }],
  ['was refused', 401, { code: 'unauthorized' }],
  ['failed', 500, { code: 'internal_error' }],
])('a poll that %s is in the log', async (_, statusCode, body) => {
  expect(await logged(poll, statusCode, body)).toHaveLength(1);
});

test('a request to an unknown path is in the log too', async () => {
  expect(await logged(undefined, 400, { code: 'not_found' })).toHaveLength(1);
});

test.each([
  ['an operation that takes long', 0, [1]],
  ['a caller who asked to wait for a task', 20, [undefined]],
])('%s is counted as slow or not', async (_, waitSeconds, counted) => {
  vi.stubEnv('TABLE_NAME', 'things').stubEnv('BUCKET_NAME', 'bucket');
  for (const name of [
    'QUEUE_URL_PREFIX',
    'TOKEN_ISSUER',
    'SIGNING_SECRET',
    'SEALING_SECRET',
    'BILLING_SECRET',
    'CHALLENGE_SECRET',
    'BASE_URL',
  ])
    vi.stubEnv(name, 'x');
  const lines = vi.spyOn(log, 'info').mockImplementation(() => undefined);
  const times = [0, 5001];
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? 5001);
  onTestFinished(() => {
    lines.mockRestore();
    clock.mockRestore();
    vi.unstubAllEnvs();
    forgetConnections();
  });
  await answered({ ...event, query: { waitSeconds } }, { statusCode: 200, body: '{}' });
  const fields = lines.mock.calls.map(([, line]) => Object(line));
  expect(fields.map(({ SlowRequests }) => SlowRequests)).toEqual(counted);
  if (counted[0])
    expect(fields[0]).toMatchObject({ table: 'things', _aws: { CloudWatchMetrics: [expect.anything()] } });
});
