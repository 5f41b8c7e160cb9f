import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { consolePolicy } from '#infra/console-headers.ts';
import { inBothThemes } from '../support/console-page.ts';
import { consoleWorld } from '../support/console-world.ts';

/** A deployment with Turnstile lets its script run in the page of the sign-up; any other deployment lets no foreign script run. */
const world = consoleWorld();

const SCRIPT = `window.turnstile = {
  render: (place, { sitekey, action, callback }) => { setTimeout(() => callback(sitekey + ' ' + action)); return 'w'; },
  remove: () => undefined,
};`;

/** A page of a deployment with or without the setting, which offers a challenge of Turnstile. */
async function visitor(siteKey: string | undefined): Promise<{ page: Page; sent: unknown[] }> {
  const { newPage, system } = world.current();
  const page = await newPage();
  const sent: unknown[] = [];
  await page.route(`${system.baseUrl}/sign-up`, async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'content-security-policy': consolePolicy('', siteKey) };
    await route.fulfill({ response, headers });
  });
  await page.route(/\/api\/v1\/challenges/, (route) => {
    const offered = { provider: 'turnstile', purpose: 'signup', siteKey: 'site', expiresAt: null };
    return route.fulfill({ json: { ...offered, parameters: null, signature: null } });
  });
  await page.route('https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: SCRIPT }),
  );
  await page.route(/\/api\/v1\/signup$/, (route) => {
    sent.push(route.request().postDataJSON());
    return route.fulfill({ json: {} });
  });
  await page.goto(`${system.baseUrl}/sign-up`);
  await page.getByLabel('Your name').fill('Ana');
  await page.getByLabel('E-mail address').fill('ana@acme.example');
  await page.getByLabel('Organization').fill('Acme');
  await page.getByLabel('I agree').check();
  await page.getByRole('button', { name: 'Send me the link' }).click();
  return { page, sent };
}

test('a visitor signs up by Turnstile, for this purpose and with the key of the deployment', async () => {
  const { page, sent } = await visitor('site');
  await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor();
  expect(sent).toMatchObject([{ email: 'ana@acme.example', challenge: 'site signup' }]);
  expect(await inBothThemes(page)).toEqual([]);
});

test('without the setting the browser refuses the script, and the page says so', async () => {
  const { page, sent } = await visitor(undefined);
  await page.getByText('did not load').waitFor();
  expect(sent).toEqual([]);
});
