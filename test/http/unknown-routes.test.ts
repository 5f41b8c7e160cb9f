import { expect, test } from 'vitest';
import { ErrorRecord } from '#infra/openapi/errors.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(`${system.baseUrl}${path}`, { method, headers });

test.each([
  ['GET', '/none', 'There is no operation GET /none.'],
  ['POST', '/api/v1/none/at/all', 'There is no operation POST /api/v1/none/at/all.'],
  ['PUT', '/api/v1/findings', expect.stringMatching(/^\/api\/v1\/findings answers GET, .*not PUT\.$/)],
  ['GET', `/${'x'.repeat(5000)}`, expect.stringMatching(/^There is no operation GET .{1,250}$/)],
])(
  '%s of an unknown operation answers the error of the interface with the id of the request',
  async (method, path, message) => {
    const answer = await ask(method, path);
    const body: unknown = await answer.json();
    expect(ErrorRecord.strict().safeParse(body).error).toBeUndefined();
    expect([answer.status, body]).toMatchObject([400, { code: 'not_found', message, requestId: expect.any(String) }]);
  },
);

test('HEAD is answered as GET, without the body', async () => {
  const paths = ['/api/v1/status', '/api/v1/findings', '/docs', '/none'];
  for (const path of paths) {
    const [head, get] = [await ask('HEAD', path), await ask('GET', path)];
    expect({ path, status: head.status, type: head.headers.get('content-type') }).toEqual({
      path,
      status: get.status,
      type: get.headers.get('content-type'),
    });
    expect(await head.text()).toBe('');
  }
});
