import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consoleWorld } from '../support/console-world.ts';

const world = consoleWorld();
let server: Server;
let hostile = '';
beforeAll(async () => {
  server = createServer((request, response) => {
    const { baseUrl } = world.current().system;
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(request.url === '/frame' ? `<iframe src="${baseUrl}/"></iframe>` : '<p>hello</p>');
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  hostile = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server?.close());

test('a page of another origin neither frames the console nor uses the cookie of the session', async () => {
  const { system, ownerPage } = world.current();
  const page = await ownerPage();
  const other = await page.context().newPage();
  await other.goto(`${hostile}/frame`);
  await expect.poll(() => other.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
  const refresh = JSON.stringify({ grant_type: 'refresh_token' });
  const token = JSON.stringify(`${system.baseUrl}/api/v1/oauth/token`);
  const sends = (type: string, mode: string): Promise<string> => {
    const options = { method: 'POST', credentials: 'include', mode, headers: { 'content-type': type }, body: refresh };
    return other.evaluate(`fetch(${token}, ${JSON.stringify(options)}).then(({ type }) => type, () => 'refused')`);
  };
  await other.goto(`${hostile}/`);
  // a script that sends JSON asks first, and gets no permission; one that does not ask cannot read, and sends no cookie
  expect(await sends('application/json', 'cors')).toBe('refused');
  expect(await sends('text/plain', 'no-cors')).toBe('opaque');
  await other.setContent(
    `<form method="post" enctype="text/plain" action="${system.baseUrl}/api/v1/oauth/token">` +
      `<input name='{"grant_type":"refresh_token","a":"' value='"}'></form>`,
  );
  await Promise.all([other.waitForNavigation(), other.evaluate('document.forms[0].submit()')]);
  expect(await other.locator('body').innerText()).not.toContain('access_token');
  await page.reload();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(0);
});
