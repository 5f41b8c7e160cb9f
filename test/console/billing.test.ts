import { expect, test } from 'vitest';
import { inBothThemes } from '../support/console-page.ts';
import { walk } from '../support/console-walk.ts';
import { consoleWorld } from '../support/console-world.ts';

/** An administrator of a deployment that sells plans buys one. The payment processor is elsewhere: its answers are given here. */
const world = consoleWorld();
const CHECKOUT = 'https://checkout.stripe.com/c/pay/cs_1';
const PORTAL = 'https://billing.stripe.com/p/session/1';
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

test('invoices have their amounts and pages, and the portal of the payment processor is one press away', async () => {
  const { ownerPage, problems } = world.current();
  const page = await ownerPage();
  await page.route(/\/api\/v1\/billing$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), actions: { portal: true, checkout: false } } });
  });
  const invoice = { currency: 'eur', amountPaid: 0, period: null, pdfUrl: null };
  const data = [
    { ...invoice, number: 'A-2', status: 'open', amountDue: 9900, url: PORTAL, createdAt: '2026-02-01T08:00:00.000Z' },
    { ...invoice, number: null, status: 'void', amountDue: 50, url: null, createdAt: '2026-01-01T08:00:00.000Z' },
  ];
  const invoices = { data, totalCount: 2, paginateFrom: 0, paginateSize: 25 };
  await page.route(/\/api\/v1\/billing\/invoices/, (route) => route.fulfill({ json: invoices }));
  const asked: string[] = [];
  await page.route(/\/api\/v1\/billing\/portal$/, (route) => {
    asked.push(route.request().method());
    return route.fulfill({ json: { url: PORTAL } });
  });
  await page.route(PORTAL, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Your card</h1>' }));
  await walk(page).go('/administration/billing');
  const open = page.getByRole('row', { name: /^A-2 .* €99\.00 open/ });
  expect(await open.getByRole('link', { name: 'Open' }).getAttribute('href')).toBe(PORTAL);
  await page.getByRole('row', { name: /^– .* €0\.50 void –$/ }).waitFor();
  expect(await inBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Change the plan or payment' }).click();
  await page.getByRole('heading', { name: 'Your card' }).waitFor();
  expect(asked).toEqual(['POST']);
  expect(problems).toEqual([]);
  await page.close();
});
