import { afterAll, expect, test } from 'vitest';
import { system } from '../support/analyst.ts';
import { type Reply, startServer } from '../support/code-hosts/server.ts';
import { finished } from '../support/wait.ts';

let pages = 0;
/** Each page of its repositories is empty and names another one. */
const endless = await startServer(({ path }): Reply => {
  if (!path.endsWith('/repos')) return { body: { login: 'builder', type: 'Organization' } };
  pages += 1;
  return { body: [], headers: { link: `<https://inner.example${path}?page=${pages}>; rel="next"` } };
});
afterAll(() => endless.stop());

test('a list without an end ends its sync after so many pages, in slices that leave their worker to others', async () => {
  const own = await system.newOrganization();
  const body = { kind: 'codehost_a', name: 'Hub', account: 'endless', baseUrl: endless.url, token: 'token-of-it' };
  const { id } = await own.admin.ok('createIntegration', { body: body as never });
  const { taskId } = await own.admin.ok('syncIntegration', { params: { id } });
  expect(await finished(own.admin, taskId)).toMatchObject({ status: 'failed', error: { code: 'unexpected_answer' } });
  expect(pages).toBe(1000);
  expect(await own.admin.ok('getIntegration', { params: { id } })).toMatchObject({
    status: 'failed',
    error: { message: 'Its list of repositories does not end after 1000 pages.' },
  });
});
