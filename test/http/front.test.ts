import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test, vi } from 'vitest';
import { handler } from '#functions/platform/status/index.ts';
import { lambdaContext } from '#local/lambda-context.ts';
import { startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { startSystem, type TestSystem, testSystem } from '../support/system.ts';
import { until } from '../support/wait.ts';

const SECRET = 'a'.repeat(64);
const VIEWER = '198.51.100.7';
const FORGED = '203.0.113.66';
const claims = { 'x-viewer-address': FORGED, 'x-forwarded-for': FORGED, 'cloudfront-viewer-address': `${FORGED}:443` };

vi.stubEnv('ORIGIN_SECRET', 'origin-secret');
const local = await startLocalSystem({ port: 0, checkResponses: true, schedules: false });
await local.connections.secrets.put('origin-secret', SECRET);
await bootstrap(local.connections);
const around = testSystem(local.baseUrl, local.connections);

/** Stands for CloudFront: sends on what a viewer sends, with its own headers over it. */
const front = createServer(async (request, response) => {
  const body = request.method === 'GET' ? undefined : Buffer.concat(await request.toArray());
  const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...sent } = request.headers;
  const headers = { ...(sent as Record<string, string>), 'x-origin-secret': SECRET, 'x-viewer-address': VIEWER };
  const answer = await fetch(new URL(request.url ?? '', local.baseUrl), { method: request.method, headers, body });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  response.end(Buffer.from(await answer.arrayBuffer()));
});
await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
const through = testSystem(`http://127.0.0.1:${(front.address() as AddressInfo).port}`, local.connections);
afterAll(async () => {
  front.close();
  await local.stop();
});

/** Links a scanner, and asks the records for its address: its own and that of the audit log. */
async function recorded(system: TestSystem, headers: Record<string, string>): Promise<unknown[]> {
  const { admin, linkToken } = await system.newOrganization();
  const body = {
    linkToken: await linkToken('scanner'),
    name: 's',
    instanceId: crypto.randomUUID(),
    taskTypes: ['network'],
  };
  await system.client().ok('linkScanner', { body, headers });
  const { data } = await admin.ok('listScanners');
  const of = async () => (await admin.ok('listAudit', { query: { entity: 'scanner' } })).data;
  const entries = await until(of, (all) => all.length > 0);
  return [data[0]?.remoteAddress, entries[0]?.ip];
}

test("behind CloudFront the records show the caller's address, and not what the caller claims", async () => {
  const lines = vi.spyOn(log, 'info');
  expect(await recorded(through, claims)).toEqual([VIEWER, VIEWER]);
  const told = lines.mock.calls.filter(([message]) => message === 'request').map(([, line]) => Object(line));
  expect(new Set(told.map(({ ip }) => ip))).toEqual(new Set([VIEWER]));
  expect(JSON.stringify(told)).not.toContain(SECRET);
  lines.mockRestore();
});

test.each([
  ['no secret', {}],
  ['an empty secret', { 'x-origin-secret': '' }],
  ['another secret', { 'x-origin-secret': `${SECRET}b` }],
  ["the caller's address alone", claims],
])(
  'who goes around CloudFront with %s is refused, with a valid credential and where none is needed',
  async (_, headers) => {
    const { apiKey } = await around.newOrganization();
    const client = await apiKey(['findings:read']);
    for (const [method, path] of [
      ['GET', '/api/v1/findings'],
      ['GET', '/api/v1/status'],
      ['GET', '/api/v1/openapi.json'],
      ['POST', '/api/v1/oauth/token'],
    ] as const)
      expect(await client.send(method, path, { headers }), path).toMatchObject({
        status: 401,
        body: { code: 'unauthorized', message: expect.stringContaining(local.baseUrl) },
      });
  },
);

test('who goes around CloudFront does not even learn which operations there are', async () => {
  const http = { method: 'DELETE', sourceIp: VIEWER };
  const event = { rawPath: '/api/v1/unknown', headers: claims, requestContext: { requestId: 'r', http } };
  const send = async (headers: Record<string, string>) =>
    JSON.parse((await handler({ ...event, headers } as never, lambdaContext('status', 29))).body ?? '');
  expect(await send(claims)).toMatchObject({ code: 'unauthorized' });
  expect(await send({ ...claims, 'x-origin-secret': SECRET })).toMatchObject({ code: 'not_found' });
});

test('without CloudFront the address is that of the connection, and nobody needs a secret', async () => {
  expect(await recorded(startSystem(), { ...claims, 'x-origin-secret': 'x' })).toEqual(['127.0.0.1', '127.0.0.1']);
});
