import { expect, test } from 'vitest';
import { inBothThemes } from '../support/console-page.ts';
import { walk } from '../support/console-walk.ts';
import { consoleWorld } from '../support/console-world.ts';

/** An administrator of a deployment that sells plans buys one. The payment processor is elsewhere: its answers are given here. */
const world = consoleWorld();
const CHECKOUT = 'https://checkout.stripe.com/c/pay/cs_1';
const TEAM = { id: 'team', name: 'Team', currency: 'eur', amount: 9900, every: { count: 1, unit: 'month' } };

test('an administrator sees what the plan allows and what is used, and begins a plan on the page of the payment processor', async () => {
  const { ownerPage, problems } = world.current();
  const page = await ownerPage();
  const asked: unknown[] = [];
  await page.route(/\/api\/v1\/billing$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), actions: { portal: false, checkout: true } } });
  });
  await page.route(/\/api\/v1\/billing\/plans$/, (route) => route.fulfill({ json: [TEAM] }));
  await page.route(/\/api\/v1\/billing\/checkout$/, (route) => {
    asked.push(route.request().postDataJSON());
    return route.fulfill({ json: { url: CHECKOUT } });
  });
  await page.route(CHECKOUT, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Pay here</h1>' }));
  await walk(page).go('/administration/billing');
  await page.getByRole('row', { name: /^Link tokens that can be used .* 500 the default$/ }).waitFor();
  await page.getByRole('cell', { name: '€99.00 a month' }).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Begin', exact: true }).click();
  await page.getByLabel('Units').fill('3');
  await page.locator('form').getByRole('button', { name: 'Begin', exact: true }).click();
  await page.getByRole('heading', { name: 'Pay here' }).waitFor();
  expect(asked).toEqual([{ plan: 'team', quantity: 3 }]);
  expect(problems).toEqual([]);
});
