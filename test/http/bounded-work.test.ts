import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { routes } from '../support/every-route.ts';
import { type TestOrganization, testSystem } from '../support/system.ts';

/**
 * A stranger, or a caller whose program has gone wild, keeps no function busy and fills neither the network nor the log.
 * This file has its own system, in its own process, so that the log can be read.
 */
const local = await startLocalSystem({ port: 0, checkResponses: true });
await bootstrap(local.connections);
const system = testSystem(local.baseUrl, local.connections);
const lines = vi.spyOn(log, 'info');
let ours: TestOrganization;

beforeAll(async () => {
  ours = await system.newOrganization();
  await ours.admin.ok('listConfig');
});
afterAll(() => local.stop());

const KB = 1024;
const MB = KB * KB;
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const fieldsOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`field${n}`, 1]));

/** The answer to a request, its size, and the size of what it left in the log. */
async function measured(method: string, path: string, more: { body?: string; headers?: object } = {}) {
  lines.mockClear();
  const headers = { 'content-type': 'application/json', ...more.headers };
  const answer = await fetch(`${local.baseUrl}${path}`, { method, headers, body: more.body });
  const text = await answer.text();
  const logged = JSON.stringify(lines.mock.calls).length;
  return { status: answer.status, body: JSON.parse(text) as unknown, size: text.length, logged };
}

const small = { size: expect.toSatisfy((size: number) => size < 8 * KB), logged: expect.toSatisfy((n) => n < 8 * KB) };

const open = routes.filter(({ access, body, signed }) => access === 'public' && body && !signed);
const signed = routes.filter((route) => route.signed);

describe('without a credential', () => {
  test('there are operations with a body', () => expect(open.length).toBeGreaterThan(5));

  test.each(open)('$method $path reads no body over 64 KB, whatever it holds', async ({ method, path }) => {
    const bodies = [
      JSON.stringify(fieldsOf(10_000)),
      `[${'{"a":[1]},'.repeat(20_000)}1]`,
      `{"${'x'.repeat(3 * MB)}":1}`,
      '['.repeat(65 * KB),
    ];
    for (const body of bodies)
      expect(await measured(method, path, { body })).toMatchObject({
        status: 400,
        body: { code: 'payload_too_large', message: expect.stringMatching(/64 KB/) },
        ...small,
      });
  });

  test.each(open)('$method $path answers and logs little for the worst 60 KB', async ({ method, path }) => {
    const bodies = [JSON.stringify(fieldsOf(4_000)), `{"${'x'.repeat(60_000)}":1}`, `"${'x'.repeat(60_000)}"`];
    for (const body of bodies) expect(await measured(method, path, { body })).toMatchObject({ status: 400, ...small });
  });

  test.each(signed)(
    '$method $path reads no body over 4 MB, as from a caller with a credential',
    async ({ method, path }) => {
      const body = `{"${'x'.repeat(4 * MB)}":1}`;
      const refusal = { code: 'payload_too_large', message: expect.stringMatching(/4 MB/) };
      expect(await measured(method, path, { body })).toMatchObject({ status: 400, body: refusal, ...small });
    },
  );

  test.each(signed)(
    '$method $path answers and logs little for the worst 3 MB that nobody signed',
    async ({ method, path }) => {
      const bodies = [JSON.stringify(fieldsOf(100_000)), `{"${'x'.repeat(3 * MB)}":1}`, '['.repeat(3 * MB)];
      for (const body of bodies) {
        const { status, ...rest } = await measured(method, path, { body });
        expect([400, 401]).toContain(status);
        expect(rest).toMatchObject(small);
      }
    },
  );

  test('a form of many fields, or with a long name twice, is refused shortly', async () => {
    const many = Array.from({ length: 60_000 }, (_, n) => `a${n}=1`).join('&');
    const token = '/api/v1/oauth/token';
    const tooLarge = await measured('POST', token, { body: many, headers: form });
    expect(tooLarge).toMatchObject({ status: 400, body: { code: 'payload_too_large' }, ...small });
    const name = 'x'.repeat(30_000);
    const twice = await measured('POST', token, { body: `${name}=1&${name}=2`, headers: form });
    expect(twice).toMatchObject({ status: 400, body: { code: 'invalid_request' }, ...small });
  });

  test('a path of thousands of slashes is answered as any unknown path', async () => {
    await measured('GET', '/api/v1/unknown'); // loads the area that answers it
    const used = process.cpuUsage();
    const paths = (slashes: number) => [
      `/api/v1/findings${'/'.repeat(slashes)}x`,
      `/api/v1/oauth/token${'/x'.repeat(slashes / 2)}`,
    ];
    for (const path of paths(9_500))
      expect(await measured('GET', path)).toMatchObject({ status: 400, body: { code: 'not_found' }, ...small });
    for (const path of paths(14_000)) expect(await measured('GET', path)).toMatchObject({ status: 431, ...small });
    // tens of milliseconds; a second and more before, growing with the square of the slashes that reach the service
    expect(process.cpuUsage(used).user).toBeLessThan(900_000);
  });
});

describe('a signed-in caller', () => {
  const send = async (body: unknown, path = '/api/v1/findings/import') => {
    lines.mockClear();
    const answer = await ours.admin.send('POST', path, { body });
    return { ...answer, size: JSON.stringify(answer.body).length, logged: JSON.stringify(lines.mock.calls).length };
  };

  test('hears of the first twenty of many unknown fields, and of how many more there are', async () => {
    const answer = await send({ format: 'sarif', ...fieldsOf(200_000) });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' }, ...small });
    const { message, details } = answer.body as { message: string; details: object[] };
    expect(message).toMatch(/^field0: unknown field; it takes format, [\w, ]+ \(and 199980 more\)$/);
    expect(details).toHaveLength(20);
    expect(details.slice(1)).toEqual(
      details.slice(1).map((_, n) => ({ path: `field${n + 1}`, message: 'unknown field' })),
    );
  });

  test('hears of a field with an endless name by its beginning', async () => {
    const answer = await send({ format: 'sarif', ['x'.repeat(3 * MB)]: 1 });
    const path = `${'x'.repeat(100)}…`;
    expect(answer).toMatchObject({
      status: 400,
      body: { details: [{ path, message: expect.stringMatching(/^unknown field; it takes /) }] },
      ...small,
    });
  });

  test('of a thousand wrong targets hears of the first', async () => {
    const targets = Array.from({ length: 1_000 }, (_, n) => ({ type: 'host', value: `no host ${n}` }));
    const body = { title: 'x', kind: 'vulnerability_scan', taskTypes: ['network'], targets };
    const answer = await send(body, '/api/v1/validation-operations/engagements');
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' }, ...small });
  });
});
