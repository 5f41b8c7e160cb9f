import { afterAll, describe, expect, test } from 'vitest';
import { billingHandlers } from '#functions/billing/billing/handlers.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { BEGIN, billingSender, customerOf, eventOf, invoiceOf, subscriptionOf } from '../../support/stripe.ts';
import { KEY, startStripe, stripeDown } from '../../support/stripe-server.ts';
import { startSystem, type TestOrganization } from '../../support/system.ts';

const system = startSystem();
const stripe = await startStripe([
  { key: 'team', offered: true },
  { key: 'acme-only', offered: false },
  { key: null, offered: true },
]);
afterAll(() => stripe.stop());
const { send } = billingSender(system);

/** A deployment that sells plans, with this key. */
const selling = (key: string | undefined = KEY): Connections => ({
  ...system.connections,
  settings: { ...system.connections.settings, STRIPE_SECRET: 'stripe' },
  network: stripe.network,
  secrets: {
    ...system.connections.secrets,
    get: async (name) => {
      if (name !== 'stripe') return system.connections.secrets.get(name);
      if (key === '') throw new Error('no secret stripe');
      return `${key}\n`;
    },
  },
});

/** A request of an administrator. */
const ask = ({ table }: TestOrganization, body = { plan: 'team', quantity: 3 }, connections = selling()) => {
  const call = { connections, table, body, query: {}, params: {} } as never;
  return {
    plans: async () => billingHandlers.listBillingPlans(call),
    checkout: async () => billingHandlers.startBillingCheckout(call),
    portal: async () => billingHandlers.openBillingPortal(call),
    billing: async () => billingHandlers.getBilling(call),
  };
};

async function subscribed(status: 'active' | 'canceled' = 'active') {
  const organization = await system.newOrganization();
  const { organizationId } = organization;
  const [customer, id] = [`cus_${newId()}`, `sub_${newId()}`];
  await send(eventOf('customer.created', BEGIN, customerOf({ customer, organizationId })));
  await send(eventOf('customer.subscription.created', BEGIN + 1, subscriptionOf({ id, customer, status })));
  await expect.poll(async () => (await organization.admin.ok('getBilling')).status, { timeout: 15_000 }).toBe(status);
  return { ...organization, customer };
}

const refusal = (message: RegExp) => ({ code: 'conflict', message: expect.stringMatching(message) });

test('an administrator begins a plan on a page of Stripe, for the own organization, and sees only plans on offer', async () => {
  const organization = await system.newOrganization();
  stripe.begin();
  const { plans, checkout, billing } = ask(organization);
  expect(await plans()).toEqual([
    { id: 'team', name: 'Team', currency: 'eur', amount: 9900, every: { count: 1, unit: 'month' } },
  ]);
  expect(await billing()).toMatchObject({ actions: { portal: false, checkout: true } });
  expect(await checkout()).toEqual({ url: 'https://checkout.stripe.com/c/pay/cs_1' });
  const { organizationId } = organization;
  expect(stripe.sessions).toEqual([
    {
      path: 'checkout',
      form: {
        mode: 'subscription',
        'line_items[0][price]': 'price_team',
        'line_items[0][quantity]': '3',
        'subscription_data[metadata][organizationId]': organizationId,
        client_reference_id: organizationId,
        success_url: system.connections.settings.BASE_URL,
        cancel_url: system.connections.settings.BASE_URL,
      },
    },
  ]);
  expect(stripe.asked.map(({ host }) => host)).toEqual(Array.from(stripe.asked, () => 'api.stripe.com'));
  for (const plan of ['acme-only', 'none', "team' OR"])
    await expect(ask(organization, { plan, quantity: 1 }).checkout()).rejects.toMatchObject({
      code: 'validation_failed',
    });
});

test('an organization with a plan changes it in the portal of its own customer, and begins no second one', async () => {
  const organization = await subscribed();
  stripe.begin();
  const { portal, checkout, billing } = ask(organization);
  expect(await billing()).toMatchObject({ actions: { portal: true, checkout: false } });
  expect(await portal()).toEqual({ url: 'https://billing.stripe.com/p/session/1' });
  const form = { customer: organization.customer, return_url: system.connections.settings.BASE_URL };
  expect(stripe.sessions).toEqual([{ path: 'portal', form }]);
  await expect(checkout()).rejects.toMatchObject(refusal(/has a plan already: POST \/api\/v1\/billing\/portal/));
  await expect(ask(await system.newOrganization()).portal()).rejects.toMatchObject(refusal(/billing\/checkout/));
});

test('a plan that ended begins again for the same customer; a customer that was deleted opens nothing', async () => {
  const organization = await subscribed('canceled');
  stripe.begin();
  await ask(organization).checkout();
  expect(stripe.sessions[0]?.form).toMatchObject({ customer: organization.customer });
  const { customer, organizationId } = organization;
  await send(eventOf('customer.deleted', BEGIN + 9, customerOf({ customer, organizationId })));
  await expect
    .poll(() => ask(organization).billing(), { timeout: 15_000 })
    .toMatchObject({ actions: { portal: false, checkout: true } });
});

test('invoices are listed newest first, each once with its last state, and only those of the organization', async () => {
  const organization = await subscribed();
  const { customer, admin } = organization;
  const issue = (type: string, at: number, id: string, created: number, status: 'open' | 'paid') =>
    send(eventOf(`invoice.${type}`, at, invoiceOf({ id, customer, status, created })));
  await issue('finalized', BEGIN + 10, 'in_1', BEGIN, 'open');
  await issue('finalized', BEGIN + 500, 'in_2', BEGIN + 400, 'open');
  await issue('paid', BEGIN + 20, 'in_1', BEGIN, 'paid');
  const shown = async () =>
    (await admin.ok('listBillingInvoices')).data.map(({ number, status }) => `${number} ${status}`);
  await expect.poll(shown, { timeout: 15_000 }).toEqual(['IN_2 open', 'IN_1 paid']);
  expect(await admin.ok('getBilling')).toMatchObject({ lastInvoice: { number: 'IN_2' } });
  const second = { paginateFrom: 1, paginateSize: 1 };
  expect(await admin.ok('listBillingInvoices', { query: second })).toMatchObject({
    totalCount: 2,
    data: [{ number: 'IN_1' }],
  });
  expect(await (await system.newOrganization()).admin.ok('listBillingInvoices')).toMatchObject({
    data: [],
    totalCount: 0,
  });
});

describe('a deployment', () => {
  test('that sells no plans says so, and offers neither page', async () => {
    const { admin } = await system.newOrganization();
    expect(await admin.ok('getBilling')).toMatchObject({ actions: { portal: false, checkout: false } });
    const answer = await admin.call('listBillingPlans');
    expect(answer).toMatchObject({ status: 400, body: refusal(/no key of the payment processor.*ask the provider/) });
  });

  test('whose operator has written no key, or a wrong one, quotes no key', async () => {
    const organization = await system.newOrganization();
    await expect(ask(organization, undefined, selling('')).plans()).rejects.toMatchObject(refusal(/no key/));
    stripe.begin();
    const wrong = ask(organization, undefined, selling('rk_test_wrong')).plans();
    await expect(wrong).rejects.toMatchObject(refusal(/refuses the key of this deployment.*must write a new one\.$/));
  });
});

describe('while Stripe fails', () => {
  test.each([
    ['an answer that is lost', 'lost'],
    ['a broken connection', 'hang up'],
    ['an answer 503', stripeDown],
    ['no JSON', 'no JSON'],
    ['a request that still runs', { status: 409, body: { error: { type: 'idempotency_error', message: 'in use' } } }],
  ] as const)('%s is repeated under the same key, and one page is made', async (_, trouble) => {
    const organization = await subscribed();
    stripe.begin(trouble);
    expect(await ask(organization).portal()).toMatchObject({ url: expect.stringContaining('billing.stripe.com') });
    const keys = stripe.asked.map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toEqual([expect.stringMatching(/\S{16,}/), keys[0]]);
    expect(stripe.sessions).toHaveLength(1);
  });

  test('for three attempts, the administrator learns what to do', async () => {
    const organization = await subscribed();
    stripe.begin(stripeDown, stripeDown, stripeDown);
    const message = /does not answer \(503\)\. Nothing was bought or changed: send the request again/;
    await expect(ask(organization).portal()).rejects.toMatchObject(refusal(message));
    expect(stripe.asked).toHaveLength(3);
  });

  test('with advice not to repeat, it is asked once', async () => {
    const organization = await subscribed();
    stripe.begin({ ...stripeDown, headers: { 'stripe-should-retry': 'false' } });
    await expect(ask(organization).portal()).rejects.toMatchObject(
      refusal(/refuses the request: Sorry, we are down\./),
    );
    expect(stripe.asked).toHaveLength(1);
  });

  test("by a refusal, the caller reads Stripe's reason, once", async () => {
    const organization = await subscribed();
    const error = { type: 'invalid_request_error', message: 'No configuration provided.' };
    stripe.begin({ status: 400, body: { error } });
    await expect(ask(organization).portal()).rejects.toMatchObject(refusal(/refuses the request: No configuration/));
    expect(stripe.asked).toHaveLength(1);
  });
});
